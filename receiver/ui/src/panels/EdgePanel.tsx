import type { ColumnEdge, Evidence, Job, Transform } from '../api/types'
import { useAsked } from '../api/use'
import { kindWords } from '../graph/model'
import { Answer } from '../parts/Answer'
import { DatasetLink, Name, runDetails, To } from '../parts/Link'
import { Exactly, RunStateChip } from '../parts/State'
import type { Ref } from '../ref'
import { Fact, Facts, File, Sql } from './Facts'
import { RawBody } from './EventPanel'

/** Why a column is made of another: every job that says so, with its SQL, run, event, producer and time. */
export function EdgePanel({ source, target, at }: { source: Ref; target: Ref; at: string | null }) {
  const asked = useAsked<Evidence>('api/v2/edge', {
    namespace: target.namespace, name: target.name, field: target.field,
    sourceNamespace: source.namespace, sourceName: source.name, sourceField: source.field, asOf: at,
  })
  return (
    <>
      <p class="ends">
        <span><span class="quiet">from</span> <DatasetLink of={source} /></span>
        <span><span class="quiet">to</span> <span><DatasetLink of={target} />{target.field === undefined && ' (its rows)'}</span></span>
      </p>
      <Answer asked={asked} what="the evidence">
        {({ edges, jobs, transforms }) => (
          <>
            {edges.map((edge, number) => (
              <One key={number} edge={edge} job={jobs.find(({ id }) => id === edge.job) ?? null} transform={transforms.find(({ id }) => id === edge.transform) ?? null} source={source} />
            ))}
          </>
        )}
      </Answer>
    </>
  )
}

interface OneProps { edge: ColumnEdge; job: Job | null; transform: Transform | null; source: Ref }

function One({ edge, job, transform, source }: OneProps) {
  return (
    <section class="evidence">
      <p class="chips">
        <span class={edge.direct ? 'tag' : 'tag dotted'}>{kindWords(edge)}</span>
        {edge.masking && <span class="tag mask">masked</span>}
        {edge.lastKnown && <span class="tag hatched">from before</span>}
      </p>
      {edge.lastKnown && <p class="quiet">SQL came since that could not be read; this is what was known last.</p>}
      {edge.expression && <Sql text={edge.expression} names={[source.field ?? '']} />}
      {transform && <Vouched by={transform} job={job} direct={edge.direct} />}
    </section>
  )
}

function Vouched({ by, job, direct }: { by: Transform; job: Job | null; direct: boolean }) {
  return (
    <>
      <Facts>
        <Fact name="Decides">{direct ? null : 'which rows there are, or which value is taken; no value is made of it'}</Fact>
        <Fact name="Job">{job && <To state={{ panel: { kind: 'job', parts: [job.namespace, job.name] } }} class="name"><Name of={job} /></To>}</Fact>
        <Fact name="Code">{by.file && <File of={by.file} />}</Fact>
        <Fact name="Run">
          {by.run && (
            <>
              <RunStateChip state={by.run.state} text={by.run.stateText} />{' '}
              <To state={job ? runDetails(by.run.runId, job) : { panel: { kind: 'run', parts: [by.run.runId] } }} class="mono">{by.run.runId}</To>
            </>
          )}
        </Fact>
        <Fact name="First seen"><Exactly at={by.firstSeenAt} /></Fact>
        <Fact name="Last seen"><Exactly at={by.lastSeenAt} /></Fact>
        <Fact name="Producer">{by.producer && <span class="long">{by.producer}</span>}</Fact>
        <Fact name="Reading">{by.status && `${by.status}${by.message ? `: ${by.message}` : ''}`}</Fact>
        <Fact name="Dialect">{by.dialect}</Fact>
        <Fact name="Parser">{by.parserVersion}</Fact>
        <Fact name="SQL hash">{by.sqlHash && <code class="long">{by.sqlHash}</code>}</Fact>
        <Fact name="Event">
          {by.event ? <><To state={{ panel: { kind: 'event', parts: [by.event.id] } }} class="mono">{by.event.id}</To>, <Exactly at={by.event.time} /></>
            : 'what was sent is no longer kept'}
        </Fact>
      </Facts>
      {by.sql && <details><summary>The whole SQL</summary><Sql text={by.sql.query} /></details>}
      {by.event && <RawBody path={by.event.body} />}
    </>
  )
}
