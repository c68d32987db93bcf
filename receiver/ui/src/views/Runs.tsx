import { useState } from 'preact/hooks'
import type { Run, RunState } from '../api/types'
import { useAsked } from '../api/use'
import { Answer } from '../parts/Answer'
import { duration } from '../parts/format'
import { Name, To } from '../parts/Link'
import { RunStateChip, When } from '../parts/State'

const CHOICES: [string, RunState[]][] = [
  ['All', []], ['Failed', ['FAILED', 'ABORTED']], ['Open', ['RUNNING', 'OPEN_PARENT_ENDED', 'NEW']], ['Completed', ['COMPLETED']],
]

export function Runs() {
  const [chosen, setChosen] = useState(0)
  const [cursors, setCursors] = useState<string[]>([])
  const states = CHOICES[chosen]?.[1] ?? []
  const asked = useAsked<{ runs: Run[]; nextCursor: string | null }>('api/v2/runs', { limit: 50, state: states, cursor: cursors.at(-1) })
  const choose = (at: number) => {
    setChosen(at)
    setCursors([])
  }
  return (
    <div class="sheet wide">
      <h1>Runs</h1>
      <div class="choices" role="group" aria-label="Which runs">
        {CHOICES.map(([word], at) => (
          <button key={word} type="button" aria-pressed={at === chosen} onClick={() => choose(at)}>{word}</button>
        ))}
      </div>
      <Answer asked={asked} what="runs">
        {({ runs, nextCursor }) => (
          <>
            <RunTable runs={runs} />
            <Pages back={cursors.length > 0} next={nextCursor !== null} busy={asked.busy}
              onBack={() => setCursors(cursors.slice(0, -1))} onNext={() => nextCursor && setCursors([...cursors, nextCursor])} />
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
              <td><To state={{ panel: { kind: 'run', parts: [run.runId] } }} class="mono">{run.runId.slice(0, 8)}</To></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PagesProps { back: boolean; next: boolean; busy: boolean; onBack: () => void; onNext: () => void }

export function Pages({ back, next, busy, onBack, onNext }: PagesProps) {
  if (!back && !next) return null
  return (
    <p class="pages">
      <button type="button" disabled={!back || busy} onClick={onBack}>Newer</button>
      <button type="button" disabled={!next || busy} onClick={onNext}>Older</button>
    </p>
  )
}
