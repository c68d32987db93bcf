import type { EventEntry, Run, RunTree } from '../api/types'
import { useAsked, useText } from '../api/use'
import { Answer } from '../parts/Answer'
import { Boundary } from '../parts/Boundary'
import { duration, some } from '../parts/format'
import { Name, runDetails, To } from '../parts/Link'
import { Exactly, RunStateChip } from '../parts/State'
import type { Ref } from '../ref'
import { START } from '../state'
import { messageIn } from './complaint'
import { Fact, Facts } from './Facts'

const MANY = 12

/** A run: its state and times, why it failed, the tree of runs that it belongs to, its events. */
export function RunPanel({ id, job }: { id: string; job: Ref | null }) {
  const asked = useAsked<{ runs: Run[] }>('api/v2/runs', { runId: id })
  return (
    <Answer asked={asked} what="the run">
      {({ runs }) => {
        const run = choose(runs, job)
        if (!run) return <p class="quiet">No event has named a run {id}.</p>
        const others = runs.filter((other) => other !== run)
        return (
          <>
            <About run={run} others={others} />
            <Boundary what="The events"><Events of={run} shared={others.length > 0} /></Boundary>
            <Boundary what="The run tree"><Tree of={run} /></Boundary>
          </>
        )
      }}
    </Answer>
  )
}

/** The run of this job; else the earliest that an event told of, else one that was only named. */
const choose = (runs: Run[], job: Ref | null): Run | undefined =>
  runs.find((run) => job !== null && isSame(run.job, job)) ?? runs.filter((run) => !run.onlyNamed).at(-1) ?? runs.at(-1)

const isSame = (one: Ref, other: Ref): boolean => one.namespace === other.namespace && one.name === other.name
const isRun = (one: Run, other: Run): boolean => one.runId === other.runId && isSame(one.job, other.job)

function Tree({ of }: { of: Run }) {
  const asked = useAsked<{ run: RunTree; states: Record<string, number>; cut: string | null }>('api/v2/runs/tree', { runId: of.runId, root: true })
  return (
    <Answer asked={asked} what="the run tree">
      {({ run: root, states, cut }) => root.children.length > 0 && (
        <section>
          <h3>The run tree</h3>
          <p class="quiet">{Object.entries(states).map(([state, many]) => `${many} ${state.toLowerCase().replaceAll('_', ' ')}`).join(', ')}</p>
          {cut && <p class="quiet">{cut}</p>}
          <ul class="tree"><Branch run={root} here={of} /></ul>
        </section>
      )}
    </Answer>
  )
}

function About({ run, others }: { run: Run; others: Run[] }) {
  return (
    <>
      <p class="title"><Name of={run.job} /></p>
      <p><To state={{ ...START, view: 'diff', toRun: run.runId }} class="button">Compare with another run</To></p>
      <Facts>
        <Fact name="State"><RunStateChip state={run.state} text={run.stateText} />{run.conflictingEnds && ` ends differ: ${run.endsSeen.join(', ')}`}</Fact>
        <Fact name="Job"><To state={{ panel: { kind: 'job', parts: [run.job.namespace, run.job.name] } }}>its other runs, what it reads and writes</To></Fact>
        <Fact name="Run"><code class="long">{run.runId}</code></Fact>
        <Fact name="Started"><Exactly at={run.startedAt} /></Fact>
        <Fact name="Ended">{run.endedAt && <Exactly at={run.endedAt} />}</Fact>
        <Fact name="Took">{run.endsBeforeStart ? 'ends before it starts' : run.durationMs !== null && duration(run.durationMs)}</Fact>
        <Fact name="Nominal time">{run.nominalStartTime && <Exactly at={run.nominalStartTime} />}</Fact>
        <Fact name="Part of">{run.parent && <To state={runDetails(run.parent.runId, run.parent.job)} class="name"><Name of={run.parent.job} /></To>}</Fact>
        <Fact name="Same id">
          {others.length > 0 && others.map((other) => (
            <div key={`${other.job.namespace} ${other.job.name}`}>
              <RunStateChip state={other.state} text={other.stateText} /> <To state={runDetails(other.runId, other.job)} class="name"><Name of={other.job} /></To>
            </div>
          ))}
        </Fact>
      </Facts>
    </>
  )
}

/** A run and its children; of many children, those that completed wait behind one click. */
function Branch({ run, here }: { run: RunTree; here: Run }) {
  const children = run.children
  const shown = children.length > MANY ? children.filter((child) => child.state !== 'COMPLETED' || contains(child, here)).slice(0, 200) : children
  const rest = children.filter((child) => !shown.includes(child))
  return (
    <li>
      <span class={isRun(run, here) ? 'here' : ''}>
        <RunStateChip state={run.state} text={run.stateText} />{' '}
        <To state={runDetails(run.runId, run.job)} class="name"><Name of={run.job} /></To>{' '}
        <span class="quiet">{duration(run.durationMs)}</span>
      </span>
      {run.error && !isRun(run, here) && <p class="error-text" tabIndex={0}>{run.error}</p>}
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

const contains = (run: RunTree, here: Run): boolean => isRun(run, here) || run.children.some((child) => contains(child, here))

function Events({ of, shared }: { of: Run; shared: boolean }) {
  const asked = useAsked<{ events: EventEntry[]; next: string | null }>('api/v2/events', { runId: of.runId, limit: 100 })
  return (
    <Answer asked={asked} what="the events">
      {({ events: all, next }) => {
        const events = shared ? all.filter(({ job }) => job !== null && isSame(job, of.job)) : all
        const fatal = events.filter(({ eventType }) => eventType === 'FAIL' || eventType === 'ABORT').at(-1)
        return (
          <>
            {fatal?.body && <Complaint path={fatal.body} />}
            <section>
              <h3>Its events</h3>
              <ul class="plain-list">
                {events.map((event) => (
                  <li key={event.id}>
                    <To state={{ panel: { kind: 'event', parts: [event.id] } }}>{event.eventType ?? event.kind}</To>{' '}
                    <span class="quiet"><Exactly at={event.eventTime} /></span>
                  </li>
                ))}
              </ul>
              {events.length === 0 && <p class="quiet">None is kept any more.</p>}
              {next && <p class="quiet">The newest {all.length} are shown.</p>}
            </section>
          </>
        )
      }}
    </Answer>
  )
}

/** What the event that ended a run says of why it failed; nothing where it says nothing. */
function Complaint({ path }: { path: string }) {
  const body = useText(new URL(path.replace(/^\//, ''), document.baseURI).href)
  return (
    <Answer asked={body} what="why it failed">
      {(text) => {
        const said = messageIn(text)
        return said && <section><h3>What went wrong</h3><pre class="error-text" tabIndex={0}>{said}</pre></section>
      }}
    </Answer>
  )
}
