import type { Attention, Summary, Troubled } from '../api/types'
import { useAsked } from '../api/use'
import { Answer } from '../parts/Answer'
import { Boundary } from '../parts/Boundary'
import { number, some } from '../parts/format'
import { DatasetLink, Name, runDetails, To } from '../parts/Link'
import { RunStateChip, When } from '../parts/State'
import { go, START } from '../state'

const MOST = 50

/** The first screen: what went wrong or is still open since yesterday, and what lies behind it. */
export function Home() {
  const summary = useAsked<Summary>('api/v2/summary')
  const empty = summary.answer !== null && summary.answer.events.accepted === 0 && summary.answer.runs.total === 0
  return (
    <div class="sheet">
      <h1>Overview</h1>
      <Answer asked={summary} what="the counts">{(found) => (empty ? <FirstEvent /> : <Counts of={found} />)}</Answer>
      {!empty && (
        <Boundary what="What needs a look">
          <NeedsALook />
        </Boundary>
      )}
    </div>
  )
}

function Counts({ of }: { of: Summary }) {
  const { columns, events } = of
  const known = columns.total ? Math.floor((100 * (columns.traced + columns.constant)) / columns.total) : null
  return (
    <dl class="counts">
      <div><dt>Tables</dt><dd>{number(of.datasets)}</dd></div>
      <div><dt>Column edges</dt><dd>{number(of.edges)}</dd></div>
      <div>
        <dt>Written columns with known origin</dt>
        <dd>{known === null ? '–' : `${known} %`}<small>{columns.total ? `of ${number(columns.total)}` : 'none reported'}</small></dd>
      </div>
      <div>
        <dt><To state={{ ...START, view: 'unresolved' }}>Unresolved</To></dt>
        <dd class={columns.unresolved ? 'warn' : ''}>{number(columns.unresolved)}</dd>
      </div>
      <div>
        <dt><To state={{ ...START, view: 'rejected' }}>Rejected events</To></dt>
        <dd class={events.rejected ? 'warn' : ''}>{number(events.rejected)}<small>of {number(events.accepted + events.rejected)}</small></dd>
      </div>
    </dl>
  )
}

function NeedsALook() {
  const asked = useAsked<Attention>('api/v2/attention', { limit: MOST })
  return (
    <section aria-labelledby="look">
      <h2 id="look">Needs a look</h2>
      <Answer asked={asked} what="failed and open runs">
        {({ runs, counts, next, capped }) =>
          runs.length === 0 ? (
            <p class="good"><span aria-hidden="true">✓</span> Nothing failed in the last day, and no run is open.</p>
          ) : (
            <>
              <p class="quiet">
                In the last day: {number(counts.failed)} failed, {number(counts.aborted)} aborted, {number(counts.open)} open
                {capped ? ' (or more)' : ''}. What has succeeded since isn't listed.
              </p>
              <ul class="trouble">{runs.map((run) => <Trouble key={`${run.runId} ${run.job.namespace} ${run.job.name}`} run={run} />)}</ul>
              {next && <p class="quiet">The first {runs.length} are shown. <To state={{ ...START, view: 'runs' }}>All runs</To></p>}
            </>
          )
        }
      </Answer>
    </section>
  )
}

function Trouble({ run }: { run: Troubled }) {
  const { datasets, consumers, checks, nearest, capped } = run.downstream
  return (
    <li>
      <div class="line">
        <RunStateChip state={run.state} text={run.stateText} />
        <To state={runDetails(run.runId, run.job)} class="name"><Name of={run.job} /></To>
        <span class="when"><When at={run.endedAt ?? run.startedAt ?? run.lastEventAt} /></span>
      </div>
      {run.error && <p class="error-text">{run.error}</p>}
      {run.outputs.length > 0 && <p>Writes {run.outputs.map((output) => <DatasetLink key={output.id} of={output} />)}</p>}
      {datasets + consumers + checks > 0 ? (
        <p>
          Downstream: {some(datasets, 'table')}{consumers > 0 && `, ${some(consumers, 'consumer')}`}{checks > 0 && `, ${some(checks, 'check')}`}{capped && ' or more'}
          {nearest.length > 0 && <>, next {nearest.map((one) => <DatasetLink key={one.id} of={one} />)}</>}
        </p>
      ) : (
        <p class="quiet">Nothing is known to lie downstream.</p>
      )}
    </li>
  )
}

function FirstEvent() {
  const here = new URL('.', document.baseURI).href.replace(/\/$/, '')
  return (
    <section class="first" aria-labelledby="first">
      <h2 id="first">Nothing has arrived yet</h2>
      <p>Lineal shows what producers of OpenLineage tell it. Send the first event:</p>
      <h3>From dbt</h3>
      <pre tabIndex={0}>{`pip install lineal              # beside dbt\nexport OPENLINEAGE_URL=${here}\ndbt build`}</pre>
      <h3>From Airflow, Spark, Flink and others</h3>
      <p>Their OpenLineage integrations take the same address: <code>OPENLINEAGE_URL={here}</code>, or Spark's <code>spark.openlineage.transport.url</code>.</p>
      <h3>By hand</h3>
      <pre tabIndex={0}>{`curl -i ${here}/api/v1/lineage -H 'Content-Type: application/json' -d '{
  "eventType": "COMPLETE", "eventTime": "${new Date().toISOString()}",
  "producer": "https://example.com/by-hand",
  "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
  "run": {"runId": "${crypto.randomUUID?.() ?? '0190d5a0-1111-7000-8000-000000000001'}"},
  "job": {"namespace": "shell", "name": "copy_orders"},
  "inputs": [{"namespace": "file", "name": "/in/orders.csv"}],
  "outputs": [{"namespace": "file", "name": "/out/orders.csv"}]}'`}</pre>
      <p><button type="button" onClick={() => go({ ...START }, { replace: true })}>Look again</button></p>
    </section>
  )
}
