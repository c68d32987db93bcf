import type { Letter } from '../graph/model'

/** A kind of column as one letter; its words are for the tooltip and, unless `silent`, for screen readers. */
export function Chip({ of, silent = false }: { of: Letter; silent?: boolean }) {
  return (
    <span class={`chip chip-${of.letter === '–' ? 'none' : of.letter.toLowerCase()}`} title={of.words}>
      <span aria-hidden="true">{of.letter}</span>{!silent && <span class="unseen">{of.words}</span>}
    </span>
  )
}
