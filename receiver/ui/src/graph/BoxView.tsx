import { memo } from 'preact/compat'
import type { Dataset } from '../api/types'
import { Chip } from '../parts/Chip'
import { seen, some } from '../parts/format'
import { BOX, count, type Box, type Row } from './scene'
import type { Way } from './model'

export interface BoxActions {
  toggle: (box: Box) => void
  details: (box: Box) => void
  grow: (box: Box, side: 'upstream' | 'downstream') => void
  lock: (box: Box, row: Row) => void
  hover: (box: Box, row: Row | null) => void
  focus: (item: string) => void
  full: (box: Box) => void
}

interface Props {
  box: Box
  x: number
  y: number
  /** The item that the keyboard is at: this box, one of its rows, or null. */
  at: string | null
  way: Way | null
  locked: string | null
  target: boolean
  /** The sides that were asked for one step more, in words. */
  grown: string
  actions: BoxActions
}

/** A table with the rows that are open, or a job that only reads. */
export const BoxView = memo(function BoxView({ box, x, y, at, way, locked, target, grown, actions }: Props) {
  const { dataset } = box
  const off = way !== null && !way.datasets.has(box.id)
  const unresolved = dataset?.columns.filter(({ status }) => status === 'unresolved').length ?? 0
  const kind = dataset ? '' : ' consumer'
  return (
    <div role="group" aria-label={`${box.title}, ${dataset ? 'table' : 'job that reads'}`} data-box={box.id}
      class={`box${target ? ' target' : ''}${off ? ' dim' : ''}${kind}${dataset?.lifecycle === 'DROP' ? ' dropped' : ''}`}
      style={{ transform: `translate(${x}px, ${y}px)`, width: `${BOX.width}px`, height: `${box.height}px` }}>
      <div class="head" style={{ height: `${BOX.head}px` }}>
        <button type="button" class="head-name" data-item={box.id} tabIndex={at === box.id ? 0 : -1}
          aria-expanded={dataset ? box.open : undefined} onFocus={() => actions.focus(box.id)}
          title={`${dataset?.namespace ?? box.job?.namespace} ${dataset?.name ?? box.job?.name}`}
          onClick={() => (dataset ? actions.toggle(box) : actions.details(box))}>
          <span class="path">{box.path || dataset?.namespace || box.job?.jobType?.jobType?.toLowerCase() || 'job'}</span>
          {' '}<span class="title">{box.title}</span>
          <span class="unseen">{words(box, unresolved)}</span>
        </button>
        {dataset && box.size !== null && (
          <span class={unresolved ? 'size hatched' : 'size'} aria-hidden="true"
            title={unresolved ? `${unresolved} of ${dataset.columns.length} columns are unresolved` : columnsOf(dataset)}>
            {box.size === 0 ? '?' : box.size}{dataset.columnsCut && '+'}
          </span>
        )}
        <button type="button" class="info" tabIndex={at === box.id ? 0 : -1} aria-label={`Details of ${box.title}`} title="Details (i)"
          onClick={() => actions.details(box)}><span aria-hidden="true">i</span></button>
      </div>
      {box.rows.map((row) => (
        <button type="button" key={row.key} data-item={row.key} tabIndex={at === row.key ? 0 : -1} style={{ height: `${BOX.row}px` }}
          class={`row${row.reason === null ? '' : ' hatched'}${way === null ? '' : way.fields.has(row.key) ? ' lit' : ' dim'}`}
          aria-pressed={locked === row.key} title={row.reason ?? undefined}
          onFocus={() => actions.focus(row.key)} onMouseEnter={() => actions.hover(box, row)} onMouseLeave={() => actions.hover(box, null)}
          onClick={() => actions.lock(box, row)}>
          <Chip of={row.letter} silent /><span class="field">{seen(row.field)}</span> <span class="type">{row.type?.toLowerCase()}</span>
          <span class="unseen">{row.words}</span>
        </button>
      ))}
      {box.hidden > 0 && (
        <button type="button" class="row more-rows" tabIndex={at === box.id ? 0 : -1} style={{ height: `${BOX.row}px` }} onClick={() => actions.full(box)}>
          + {box.hidden} more
        </button>
      )}
      {dataset && (['upstream', 'downstream'] as const).map((side) => {
        const back = grown.split(' ').includes(side)
        if (!back && dataset.more[side] === 0) return null
        const words = back ? `Take back the step ${side}` : `Show ${count(dataset.more[side], `more ${side}`)}`
        return (
          <button type="button" key={side} class={`grow ${side}`} tabIndex={at === box.id ? 0 : -1} onClick={() => actions.grow(box, side)}
            aria-label={`${words} of ${box.title}`} title={`${words} (${side === 'upstream' ? '[' : ']'})`}>
            <span aria-hidden="true">{back ? '−' : '+'}</span>
          </button>
        )
      })}
    </div>
  )
})

/** A table without columns has none that anybody told of. */
const columnsOf = ({ columns, columnsCut }: Dataset): string =>
  columns.length === 0 ? 'no column is known' : `${some(columns.length, 'column')}${columnsCut ? ', and more that are not shown' : ''}`

function words(box: Box, unresolved: number): string {
  const { dataset } = box
  if (!dataset) return ', a job that reads and writes nothing'
  const parts = [', table']
  if (box.size !== null) parts.push(columnsOf(dataset))
  if (unresolved) parts.push(`${unresolved} unresolved`)
  if (dataset.lifecycle === 'DROP') parts.push('dropped')
  return parts.join(', ')
}
