import type { Letter } from '../graph/model'

/** A kind of column as one letter; its words are for screen readers and the tooltip. */
export function Chip({ of }: { of: Letter }) {
  return (
    <span class={`chip chip-${of.letter === '–' ? 'none' : of.letter.toLowerCase()}`} title={of.words}>
      <span aria-hidden="true">{of.letter}</span><span class="unseen">{of.words}</span>
    </span>
  )
}
