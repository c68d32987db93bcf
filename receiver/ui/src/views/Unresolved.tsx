import type { Unresolved as Found } from '../api/types'
import { useAsked } from '../api/use'
import { Answer } from '../parts/Answer'
import { number } from '../parts/format'
import { DatasetLink, Name, To } from '../parts/Link'
import { When } from '../parts/State'
import { go } from '../state'
import { Pages } from './Runs'

/** Every column that could not be traced, by reason. */
export function Unresolved({ reason, pages }: { reason: string | null; pages: string[] }) {
  const asked = useAsked<Found>('api/v2/unresolved', { limit: 50, reason, cursor: pages.at(-1) })
  return (
    <div class="sheet wide">
      <h1>Unresolved columns</h1>
      <p class="quiet">Columns whose origin could not be told, and why. They are never shown as if they came from nowhere.</p>
      <Answer asked={asked} what="unresolved columns">
        {(found) => (
          <>
            {found.silent > 0 && <p class="silent">Of {number(found.silent)} {found.silent === 1 ? 'table' : 'tables'} more nothing was reported: the jobs that write them say nothing of columns.</p>}
            {found.total === 0 ? (
              <p class="good"><span aria-hidden="true">✓</span> Every column that was reported is traced, or known to be made of none.</p>
            ) : (
              <Listed found={found} reason={reason} pages={pages} busy={asked.busy} />
            )}
          </>
        )}
      </Answer>
    </div>
  )
}

function Listed({ found, reason, pages, busy }: { found: Found; reason: string | null; pages: string[]; busy: boolean }) {
  return (
    <>
      <div class="choices" role="group" aria-label="Reason">
        <button type="button" aria-pressed={reason === null} onClick={() => go({ which: null })}>All reasons</button>
        {found.reasons.map((one) => (
          <button key={one.reason} type="button" aria-pressed={reason === one.reason} onClick={() => go({ which: one.reason })}>
            {one.reason.replaceAll('_', ' ')} <span class="number">{number(one.count)}</span>
          </button>
        ))}
      </div>
      {found.columns.length === 0 ? <p class="quiet">None for this reason.</p> : <Columns of={found} />}
      <Pages of={pages} next={found.next} busy={busy} show={(pages) => go({ pages })} />
    </>
  )
}

function Columns({ of }: { of: Found }) {
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Unresolved columns">
      <table>
        <thead><tr><th>Column</th><th>Why</th><th>Job</th><th>Since</th></tr></thead>
        <tbody>
          {of.columns.map((one) => (
            <tr key={`${one.dataset} ${one.field}`}>
              <td><DatasetLink of={one} /></td>
              <td>
                <span class="hatched-text">{one.sentence ?? one.reason}</span>
                {one.message && <div class="quiet">{one.message}</div>}
                {one.lastKnown && <div class="quiet">Its edges are from before.</div>}
              </td>
              <td>{one.job && <To state={{ panel: { kind: 'job', parts: [one.job.namespace, one.job.name] } }} class="name"><Name of={one.job} /></To>}</td>
              <td><When at={one.since} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
