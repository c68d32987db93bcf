import type { Column, ColumnEdge, Dataset, Lineage } from '../api/types'
import { useAsked } from '../api/use'
import { fieldKey, kindWords, letterOf, Ways } from '../graph/model'
import { Answer } from '../parts/Answer'
import { Boundary } from '../parts/Boundary'
import { Chip } from '../parts/Chip'
import { Name, To } from '../parts/Link'
import type { Ref } from '../ref'
import { Downstream } from './DatasetPanel'
import { Fact, Facts, Sql } from './Facts'

/** A column: what it is made of, what is made of it, each with the way to the evidence. */
export function ColumnPanel({ column, at }: { column: Required<Ref>; at: string | null }) {
  const asked = useAsked<Lineage>('api/v2/lineage', { ...column, depth: 1, columns: 'all', withRows: true, asOf: at })
  return (
    <>
      <p class="title"><Name of={column} /></p>
      <Answer asked={asked} what="the column">
        {(answer) => {
          const dataset = answer.datasets.find(({ id }) => id === answer.target.id)
          const found = dataset?.columns.find(({ name }) => name === column.field)
          return dataset && found ? <About column={found} dataset={dataset} answer={answer} /> : <p class="quiet">Nothing is known of it at this time.</p>
        }}
      </Answer>
      <Boundary what="What depends on it"><Downstream of={column} at={at} /></Boundary>
    </>
  )
}

function About({ column, dataset, answer }: { column: Column; dataset: Dataset; answer: Lineage }) {
  const ways = new Ways(answer.columnEdges)
  const key = fieldKey(dataset.id, column.name)
  const datasets = new Map(answer.datasets.map((one) => [one.id, one]))
  const madeOf = ways.madeOf(key)
  const letter = letterOf(column, madeOf)
  return (
    <>
      <p class="chips"><Chip of={letter} /> {letter.words}{column.type && <code class="type">{column.type}</code>}</p>
      {column.status === 'unresolved' && (
        <p class="hatched-text">{column.sentence ?? column.reason}{column.message && <span class="quiet"> {column.message}</span>}</p>
      )}
      {column.lastKnown && <p class="quiet">Its edges are from before SQL came that could not be read.</p>}
      {column.description && <p>{column.description}</p>}
      {column.expression && <Sql text={column.expression} names={madeOf.map(({ source }) => source.field)} />}
      <Facts><Fact name="Tags">{column.tags.length > 0 && column.tags.map((tag) => <span key={tag} class="tag">{tag}</span>)}</Fact></Facts>
      <Edges title="Made of" edges={madeOf} far="source" datasets={datasets} />
      <Edges title="Makes" edges={ways.makes(key)} far="target" datasets={datasets} />
    </>
  )
}

interface EdgesProps { title: string; edges: ColumnEdge[]; far: 'source' | 'target'; datasets: Map<string, Dataset> }

function Edges({ title, edges, far, datasets }: EdgesProps) {
  return (
    <section>
      <h3>{title}</h3>
      {edges.length === 0 && <p class="quiet">No column that is known.</p>}
      <ul class="plain-list">
        {edges.map((edge) => {
          const source = datasets.get(edge.source.dataset)
          const target = datasets.get(edge.target.dataset)
          const end = far === 'source' ? source : target
          if (!source || !target || !end) return null
          const field = edge[far].field
          const parts = [source.namespace, source.name, edge.source.field, target.namespace, target.name, edge.target.field ?? '']
          const of = field === null ? { namespace: end.namespace, name: end.name } : { namespace: end.namespace, name: end.name, field }
          return (
            <li key={parts.join('|')}>
              <To state={field === null ? { panel: { kind: 'dataset', parts: [end.namespace, end.name] } }
                : { lock: { ...of }, panel: { kind: 'column', parts: [end.namespace, end.name, field] } }} class="name"><Name of={of} /></To>{' '}
              <span class={edge.direct ? 'tag' : 'tag dotted'}>{kindWords(edge)}</span>{' '}
              <To state={{ panel: { kind: 'edge', parts } }} label={`Why: the evidence for ${of.name} ${field ?? 'rows'}`}>why?</To>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
