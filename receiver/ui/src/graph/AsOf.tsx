import { useEffect, useState } from 'preact/hooks'
import type { Version } from '../api/types'
import { useAsked } from '../api/use'
import { time } from '../parts/format'
import type { Ref } from '../ref'
import { go } from '../state'

const MONTH_MS = 30 * 86_400_000
const STEPS = 1_000

/** The time that the graph is of: a slider from the table's first schema to now, with its changes marked. */
export function AsOf({ target, at }: { target: Ref; at: string | null }) {
  const [now] = useState(Date.now)
  const asked = useAsked<{ versions: Version[] }>('api/v2/drift', { namespace: target.namespace, name: target.name, limit: 50 })
  const marks = (asked.answer?.versions ?? []).map(({ since }) => Date.parse(since)).filter((mark) => mark <= now)
  const first = Math.min(now - 60_000, ...(marks.length ? marks : [now - MONTH_MS]), ...(at ? [Date.parse(at)] : []))
  const [moved, setMoved] = useState<number | null>(null)
  useEffect(() => setMoved(null), [at])
  const place = (when: number) => Math.round((STEPS * (when - first)) / (now - first))
  const chosen = moved ?? (at === null ? STEPS : place(Date.parse(at)))
  const timeOf = (chosen: number) => (chosen >= STEPS ? null : new Date(first + (chosen / STEPS) * (now - first)).toISOString())
  const shown = moved === null ? at : timeOf(moved)
  return (
    <span class={`as-of${at ? ' past' : ''}`} role="group" aria-label="As of">
      <label for="as-of" class="quiet">As of</label>
      <input id="as-of" type="range" min="0" max={STEPS} value={chosen} list="as-of-marks" aria-valuetext={shown ? time(shown) : 'now'}
        onInput={(event) => setMoved(Number(event.currentTarget.value))} onChange={(event) => go({ at: timeOf(Number(event.currentTarget.value)) })} />
      <datalist id="as-of-marks">{marks.map((mark) => <option key={mark} value={place(mark)} />)}</datalist>
      <output for="as-of">{shown ? time(shown) : 'now'}</output>
      {at && <button type="button" onClick={() => go({ at: null })}>Now</button>}
    </span>
  )
}
