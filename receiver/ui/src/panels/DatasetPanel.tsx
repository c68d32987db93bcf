import type { Dataset, Impact, Lineage, Version } from '../api/types'
import { useAll, useAsked } from '../api/use'
import { Answer } from '../parts/Answer'
import { Boundary } from '../parts/Boundary'
import { seen, some } from '../parts/format'
import { DatasetLink, Name, To } from '../parts/Link'
import { Exactly, RunStateChip } from '../parts/State'
import { around } from '../state'
import type { Ref } from '../ref'
import { Fact, Facts, Owners } from './Facts'

/** A table: what is said of it, its jobs, what depends on it, and how its schema changed. */
export function DatasetPanel({ dataset, at }: { dataset: Ref; at: string | null }) {
  const asked = useAsked<Lineage>('api/v2/lineage', { ...dataset, depth: 1, columns: 'all', asOf: at })
  return (
    <>
      <p class="title"><Name of={dataset} /></p>
      <p><To state={around(dataset)} class="button">Centre the graph here</To></p>
      <Answer asked={asked} what="the table">
        {(answer) => {
          const found = answer.datasets.find(({ id }) => id === answer.target.id)
          return found ? <About dataset={found} answer={answer} /> : <p class="quiet">Nothing is known of it at this time.</p>
        }}
      </Answer>
      <Boundary what="What depends on it"><Downstream of={dataset} at={at} /></Boundary>
      <Boundary what="The history of its schema"><History of={dataset} /></Boundary>
    </>
  )
}

function About({ dataset, answer }: { dataset: Dataset; answer: Lineage }) {
  const by = new Set(answer.tableEdges.filter(({ target }) => target === dataset.id).map(({ job }) => job))
  const writers = answer.jobs.filter(({ id }) => by.has(id))
  const unresolved = dataset.columns.filter(({ status }) => status === 'unresolved')
  return (
    <>
      {dataset.description && <p>{dataset.description}</p>}
      {dataset.lifecycle === 'DROP' && <p class="warn">Dropped <Exactly at={dataset.droppedAt} />.</p>}
      <Facts>
        <Fact name="Namespace"><span class="long">{dataset.namespace}</span></Fact>
        <Fact name="Columns">{dataset.columns.length === 0 ? 'none is known' : some(dataset.columns.length, 'column')}{dataset.columnsCut && ', and more that are not shown'}{unresolved.length > 0 && `, ${unresolved.length} unresolved`}</Fact>
        <Fact name="Written by">
          {writers.length === 0 ? (by.has(null) ? 'a static event' : dataset.written ? 'no job any more' : 'no job that is known: a source')
            : writers.map((job) => <div key={job.id}><To state={{ panel: { kind: 'job', parts: [job.namespace, job.name] } }} class="name"><Name of={job} /></To></div>)}
        </Fact>
        <Fact name="Owners">{dataset.owners.length > 0 && <Owners of={dataset.owners} />}</Fact>
        <Fact name="Tags">{dataset.tags.length > 0 && dataset.tags.map((tag) => <span key={tag} class="tag">{tag}</span>)}</Fact>
        <Fact name="Changed">{dataset.updatedAt && <Exactly at={dataset.updatedAt} />}</Fact>
      </Facts>
      {unresolved.length > 0 && (
        <ul class="reasons">{unresolved.map((column) => <li key={column.name}><strong>{seen(column.name)}</strong> <span class="hatched-text">{column.sentence ?? column.reason}</span></li>)}</ul>
      )}
    </>
  )
}

const MOST_TABLES = 8
const MOST_CONSUMERS = 1_000

/** How much lies downstream of a table or a column, its nearest tables, and all that reads and makes nothing of it. */
export function Downstream({ of, at }: { of: Ref; at: string | null }) {
  const query = { ...of, asOf: at }
  const asked = useAll<Impact>([
    { path: 'api/v2/impact', query: { ...query, limit: MOST_TABLES } },
    { path: 'api/v2/impact', query: { ...query, kind: 'consumers', limit: MOST_CONSUMERS } },
  ])
  return (
    <section>
      <h3>What depends on it</h3>
      <Answer asked={asked} what="what depends on it">
        {([all, reading]) => {
          if (!all || !reading) return null
          const { counts, datasets, owners } = all
          const { consumers } = reading
          return counts.datasets + counts.consumers + counts.checks + counts.columns === 0 ? <p class="quiet">Nothing is known to.</p> : (
            <>
              <p>
                {some(counts.columns, 'column')} in {some(counts.datasets, 'table')}, {some(counts.consumers, 'consumer')}
                {counts.checks > 0 && `, ${some(counts.checks, 'check')}`}.
              </p>
              <ul class="plain-list">
                {datasets.map((one) => <li key={one.id}><DatasetLink of={one} /> {one.why !== 'direct' && <span class="tag">{one.why === 'rows' ? 'rows only' : 'table only'}</span>}</li>)}
                {counts.datasets > datasets.length && <li class="quiet">and {counts.datasets - datasets.length} more</li>}
                {consumers.map((one) => (
                  <li key={one.id}><To state={{ panel: { kind: 'job', parts: [one.namespace, one.name] } }} class="name"><Name of={one} /></To> <span class="tag">reads</span></li>
                ))}
                {counts.consumers > consumers.length && <li class="quiet">and {counts.consumers - consumers.length} more consumers</li>}
              </ul>
              {owners.length > 0 && <p class="quiet">To be told: {owners.join(', ')}</p>}
            </>
          )
        }}
      </Answer>
    </section>
  )
}

function History({ of }: { of: Ref }) {
  const asked = useAsked<{ versions: Version[]; next: string | null }>('api/v2/drift', { ...of, limit: 50 })
  return (
    <section>
      <h3>History of its schema</h3>
      <Answer asked={asked} what="the history">
        {({ versions, next }) => (
          <>
            {versions.length === 0 && <p class="quiet">No schema was reported.</p>}
            <ol class="history">{versions.map((version) => <Change key={version.version + version.since} of={version} />)}</ol>
            {next && <p class="quiet">Older changes are left out.</p>}
          </>
        )}
      </Answer>
    </section>
  )
}

function Change({ of }: { of: Version }) {
  const same = of.came.length + of.went.length + of.retyped.length === 0
  return (
    <li>
      <To state={{ at: of.since }}><Exactly at={of.since} /></To>{' '}
      {of.run && <RunStateChip state={of.run.state} text={of.run.stateText} />}
      {of.first && <div>first seen, {some(of.columns, 'column')}</div>}
      {of.lifecycle && of.lifecycle !== 'CREATE' && <div>{of.lifecycle.toLowerCase()}</div>}
      {!of.first && (
        <ul>
          {of.came.map(({ name, type }) => <li key={name} class="came"><span aria-hidden="true">+</span> added {seen(name)} {type && <code>{type}</code>}</li>)}
          {of.went.map(({ name, type }) => <li key={name} class="went"><span aria-hidden="true">−</span> lost {seen(name)} {type && <code>{type}</code>}</li>)}
          {of.retyped.map(({ name, from, to }) => <li key={name} class="retyped"><span aria-hidden="true">~</span> {seen(name)}: <code>{from ?? 'no type'}</code> became <code>{to ?? 'no type'}</code></li>)}
          {same && of.moved && <li>the order of its columns</li>}
        </ul>
      )}
    </li>
  )
}
