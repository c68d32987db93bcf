import type { EventEntry, RunTree } from '../api/types'
import { useAsked } from '../api/use'
import { Answer } from '../parts/Answer'
import { Boundary } from '../parts/Boundary'
import { duration, some } from '../parts/format'
import { Name, To } from '../parts/Link'
import { Exactly, RunStateChip } from '../parts/State'
import { Fact, Facts } from './Facts'

const MANY = 12

/** A run: its state and times, the tree of runs that it belongs to, its events. */
export function RunPanel({ id }: { id: string }) {
  const asked = useAsked<{ run: RunTree; states: Record<string, number>; cut: string | null }>('api/v2/runs/tree', { runId: id, root: true })
  return (
    <>
      <Answer asked={asked} what="the run">
        {({ run: root, states, cut }) => {
          const run = find(root, id) ?? root
          return (
            <>
              <About run={run} />
              {root.children.length > 0 && (
                <section>
                  <h3>The run tree</h3>
                  <p class="quiet">{Object.entries(states).map(([state, many]) => `${many} ${state.toLowerCase().replaceAll('_', ' ')}`).join(', ')}</p>
                  {cut && <p class="quiet">{cut}</p>}
                  <ul class="tree"><Branch run={root} here={id} /></ul>
                </section>
              )}
            </>
          )
        }}
      </Answer>
      <Boundary what="The events"><Events of={id} /></Boundary>
    </>
  )
}

function find(run: RunTree, id: string): RunTree | null {
  if (run.runId === id) return run
  for (const child of run.children) {
    const found = find(child, id)
    if (found) return found
  }
  return null
}

function About({ run }: { run: RunTree }) {
  return (
    <>
      <p class="title"><Name of={run.job} /></p>
      <Facts>
        <Fact name="State"><RunStateChip state={run.state} text={run.stateText} />{run.conflictingEnds && ` ends differ: ${run.endsSeen.join(', ')}`}</Fact>
        <Fact name="Job"><To state={{ panel: { kind: 'job', parts: [run.job.namespace, run.job.name] } }}>its other runs, what it reads and writes</To></Fact>
        <Fact name="Run"><code class="long">{run.runId}</code></Fact>
        <Fact name="Started"><Exactly at={run.startedAt} /></Fact>
        <Fact name="Ended">{run.endedAt && <Exactly at={run.endedAt} />}</Fact>
        <Fact name="Took">{run.endsBeforeStart ? 'ends before it starts' : run.durationMs !== null && duration(run.durationMs)}</Fact>
        <Fact name="Nominal time">{run.nominalStartTime && <Exactly at={run.nominalStartTime} />}</Fact>
        <Fact name="Part of">{run.parent && <To state={{ panel: { kind: 'run', parts: [run.parent.runId] } }} class="name"><Name of={run.parent.job} /></To>}</Fact>
      </Facts>
    </>
  )
}

/** A run and its children; of many children, those that completed wait behind one click. */
function Branch({ run, here }: { run: RunTree; here: string }) {
  const children = run.children
  const shown = children.length > MANY ? children.filter((child) => child.state !== 'COMPLETED' || contains(child, here)).slice(0, 200) : children
  const rest = children.filter((child) => !shown.includes(child))
  return (
    <li>
      <span class={run.runId === here ? 'here' : ''}>
        <RunStateChip state={run.state} text={run.stateText} />{' '}
        <To state={{ panel: { kind: 'run', parts: [run.runId] } }} class="name"><Name of={run.job} /></To>{' '}
        <span class="quiet">{duration(run.durationMs)}</span>
      </span>
      {children.length > 0 && (
        <ul>
          {shown.map((child) => <Branch key={child.runId + child.job.name} run={child} here={here} />)}
          {rest.length > 0 && (
            <li>
              <details>
                <summary>{some(rest.length, 'completed run')}</summary>
                <ul>{rest.map((child) => <Branch key={child.runId + child.job.name} run={child} here={here} />)}</ul>
              </details>
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

const contains = (run: RunTree, id: string): boolean => find(run, id) !== null

function Events({ of }: { of: string }) {
  const asked = useAsked<{ events: EventEntry[]; next: string | null }>('api/v2/events', { runId: of, limit: 100 })
  return (
    <section>
      <h3>Its events</h3>
      <Answer asked={asked} what="the events">
        {({ events, next }) => (
          <>
            <ul class="plain-list">
              {events.map((event) => (
                <li key={event.id}>
                  <To state={{ panel: { kind: 'event', parts: [event.id] } }}>{event.eventType ?? event.kind}</To>{' '}
                  <span class="quiet"><Exactly at={event.eventTime} /></span>
                </li>
              ))}
            </ul>
            {events.length === 0 && <p class="quiet">None is kept any more.</p>}
            {next && <p class="quiet">The newest {events.length} are shown.</p>}
          </>
        )}
      </Answer>
    </section>
  )
}
