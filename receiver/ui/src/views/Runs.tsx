import type { Run, RunState } from '../api/types'
import { useAsked } from '../api/use'
import { Answer } from '../parts/Answer'
import { duration } from '../parts/format'
import { Name, RunLink, To } from '../parts/Link'
import { RunStateChip, When } from '../parts/State'
import { go, START } from '../state'

const CHOICES: { word: string; which: string | null; states: RunState[] }[] = [
  { word: 'All', which: null, states: [] },
  { word: 'Failed', which: 'failed', states: ['FAILED', 'ABORTED'] },
  { word: 'Open', which: 'open', states: ['RUNNING', 'OPEN_PARENT_ENDED', 'NEW'] },
  { word: 'Completed', which: 'completed', states: ['COMPLETED'] },
]

export function Runs({ which, pages }: { which: string | null; pages: string[] }) {
  const chosen = CHOICES.find((choice) => choice.which === which) ?? CHOICES[0]
  const asked = useAsked<{ runs: Run[]; nextCursor: string | null }>('api/v2/runs', { limit: 50, state: chosen?.states, cursor: pages.at(-1) })
  return (
    <div class="sheet wide">
      <h1>Runs</h1>
      <div class="choices" role="group" aria-label="Which runs">
        {CHOICES.map((choice) => (
          <button key={choice.word} type="button" aria-pressed={choice === chosen} onClick={() => go({ which: choice.which })}>{choice.word}</button>
        ))}
        <To state={{ ...START, view: 'diff' }} class="button">Compare two</To>
      </div>
      <Answer asked={asked} what="runs">
        {({ runs, nextCursor }) => (
          <>
            <RunTable runs={runs} />
            <Pages of={pages} next={nextCursor} busy={asked.busy} show={(pages) => go({ pages })} />
          </>
        )}
      </Answer>
    </div>
  )
}

export function RunTable({ runs, withJob = true }: { runs: Run[]; withJob?: boolean }) {
  if (runs.length === 0) return <p class="quiet">No such run is known.</p>
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label="Runs">
      <table>
        <thead><tr><th>State</th>{withJob && <th>Job</th>}<th>Started</th><th class="right">Took</th><th>Run</th></tr></thead>
        <tbody>
          {runs.map((run) => (
            <tr key={`${run.runId} ${run.job.namespace} ${run.job.name}`}>
              <td>
                <RunStateChip state={run.state} text={run.stateText} />
                {run.conflictingEnds && <small class="warn"> ends differ: {run.endsSeen.join(', ')}</small>}
              </td>
              {withJob && <td><To state={{ panel: { kind: 'job', parts: [run.job.namespace, run.job.name] } }} class="name"><Name of={run.job} /></To></td>}
              <td><When at={run.startedAt ?? run.firstEventAt} /></td>
              <td class="right">{run.endsBeforeStart ? 'ends before it starts' : duration(run.durationMs)}</td>
              <td><RunLink id={run.runId} job={run.job} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PagesProps { of: string[]; next: string | null; busy: boolean; show: (pages: string[]) => void }

/** The buttons of a list that comes page by page; `of`: the cursors that one went on from. */
export function Pages({ of, next, busy, show }: PagesProps) {
  if (of.length === 0 && next === null) return null
  return (
    <p class="pages">
      <button type="button" disabled={of.length === 0 || busy} onClick={() => show(of.slice(0, -1))}>Newer</button>
      <button type="button" disabled={next === null || busy} onClick={() => next !== null && show([...of, next])}>Older</button>
    </p>
  )
}
