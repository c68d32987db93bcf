/** Answers of /api/v2/lineage as one graph, and the ways through its columns. Pure. */

import type { Column, ColumnEdge, Dataset, Job, Lineage, TableEdge, Transform } from '../api/types'
import { joinParts } from '../ref'

export interface Model {
  targetId: string
  datasets: Map<string, Dataset>
  jobs: Map<string, Job>
  tableEdges: TableEdge[]
  columnEdges: ColumnEdge[]
  transforms: Map<string, Transform>
  /** Datasets of which only the columns on a locked column's ways are known. */
  partial: Set<string>
  /** What an answer had no room for, in words. */
  cuts: string[]
}

/** A column within a model: id of its dataset, and its name. */
export const fieldKey = (dataset: string, field: string): string => joinParts([dataset, field])

const pairKey = (edge: ColumnEdge): string =>
  joinParts([edge.source.dataset, edge.source.field, edge.target.dataset, edge.target.field ?? '', edge.job ?? ''])

/** One graph of several answers; the first one's target is the target. `lock` has only the columns on the ways of one. */
export function mergeAnswers(answers: Lineage[], lock: Lineage | null = null): Model {
  const model: Model = {
    targetId: answers[0]?.target.id ?? '', datasets: new Map(), jobs: new Map(), tableEdges: [], columnEdges: [],
    transforms: new Map(), partial: new Set(), cuts: [],
  }
  const tables = new Map<string, TableEdge>()
  const columns = new Map<string, ColumnEdge>()
  for (const answer of lock ? [...answers, lock] : answers) {
    for (const dataset of answer.datasets) {
      const there = model.datasets.get(dataset.id)
      model.datasets.set(dataset.id, there ? joinDatasets(there, dataset) : dataset)
      if (answer === lock && !there) model.partial.add(dataset.id)
    }
    for (const job of answer.jobs) model.jobs.set(job.id, job)
    for (const edge of answer.tableEdges) tables.set(joinParts([edge.source ?? '', edge.job ?? '', edge.target ?? '']), edge)
    for (const edge of answer.columnEdges) columns.set(pairKey(edge), edge)
    for (const transform of answer.transforms) model.transforms.set(transform.id, transform)
    if (answer.cut && !model.cuts.includes(answer.cut)) model.cuts.push(answer.cut)
  }
  model.tableEdges = [...tables.values()]
  model.columnEdges = [...columns.values()]
  return model
}

function joinDatasets(one: Dataset, other: Dataset): Dataset {
  const wider = other.columns.length > one.columns.length ? other : one
  const more = {
    upstream: Math.min(one.more.upstream, other.more.upstream),
    downstream: Math.min(one.more.downstream, other.more.downstream),
  }
  return { ...wider, distance: one.distance, side: one.side, more }
}

/** The columns and edges on all ways from and to one column. */
export interface Way {
  start: string
  fields: Set<string>
  edges: Set<ColumnEdge>
  datasets: Set<string>
  upstream: number
  downstream: number
}

export class Ways {
  private readonly into = new Map<string, ColumnEdge[]>()
  private readonly outOf = new Map<string, ColumnEdge[]>()

  constructor(edges: ColumnEdge[]) {
    for (const edge of edges) {
      if (edge.target.field !== null) push(this.into, fieldKey(edge.target.dataset, edge.target.field), edge)
      push(this.outOf, fieldKey(edge.source.dataset, edge.source.field), edge)
    }
  }

  madeOf = (field: string): ColumnEdge[] => this.into.get(field) ?? []
  makes = (field: string): ColumnEdge[] => this.outOf.get(field) ?? []

  through(dataset: string, field: string): Way {
    const start = fieldKey(dataset, field)
    const way: Way = { start, fields: new Set([start]), edges: new Set(), datasets: new Set([dataset]), upstream: 0, downstream: 0 }
    way.upstream = this.walk(way, start, this.madeOf, (edge) => edge.source)
    way.downstream = this.walk(way, start, this.makes, (edge) => edge.target)
    return way
  }

  /** How many columns were reached. */
  private walk(
    way: Way, start: string, steps: (field: string) => ColumnEdge[],
    far: (edge: ColumnEdge) => { dataset: string; field: string | null },
  ): number {
    const seen = new Set([start])
    const ahead = [start]
    for (let field = ahead.pop(); field !== undefined; field = ahead.pop()) {
      for (const edge of steps(field)) {
        const end = far(edge)
        way.edges.add(edge)
        way.datasets.add(end.dataset)
        if (end.field === null) continue
        const key = fieldKey(end.dataset, end.field)
        way.fields.add(key)
        if (!seen.has(key)) {
          seen.add(key)
          ahead.push(key)
        }
      }
    }
    return seen.size - 1
  }
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const there = map.get(key)
  if (there) there.push(value)
  else map.set(key, [value])
}

export interface Letter {
  letter: string
  words: string
}

/** What became of a column on its way here, as a letter and in words. */
export function letterOf(column: Column, madeOf: ColumnEdge[]): Letter {
  if (column.status === 'unresolved') return { letter: 'U', words: 'unresolved' }
  if (column.status === 'constant') return { letter: 'C', words: 'constant' }
  if (column.status === 'source') return { letter: 'S', words: 'source' }
  if (column.status === null) return { letter: '–', words: 'nothing is known' }
  const subtypes = new Set(madeOf.flatMap((edge) => edge.kinds.filter((kind) => kind.type === 'DIRECT').map((kind) => kind.subtype)))
  if (subtypes.size === 0) return { letter: 'T', words: 'traced' }
  if (subtypes.has('AGGREGATION')) return { letter: 'A', words: 'aggregated' }
  if (subtypes.size > 1 || !subtypes.has('IDENTITY')) return { letter: 'D', words: 'derived' }
  const renamed = madeOf.some((edge) => edge.direct && edge.source.field.toLowerCase() !== column.name.toLowerCase())
  return renamed ? { letter: 'R', words: 'renamed' } : { letter: 'P', words: 'passed on' }
}

export const LETTERS: Letter[] = [
  { letter: 'P', words: 'passed on as it is' },
  { letter: 'R', words: 'passed on under another name' },
  { letter: 'D', words: 'derived: computed from other columns' },
  { letter: 'A', words: 'aggregated over rows' },
  { letter: 'C', words: 'constant: made of no column' },
  { letter: 'S', words: 'source: no job is known to write it' },
  { letter: 'T', words: 'traced, to columns that are not shown' },
  { letter: 'U', words: 'unresolved: it could not be traced' },
]

/** A kind of edge in words: "aggregation", "filter, decides rows". */
export function kindWords(edge: Pick<ColumnEdge, 'kinds'>): string {
  return edge.kinds
    .map(({ type, subtype, masking }) => {
      const word = (subtype ?? type).toLowerCase().replaceAll('_', ' ')
      return `${word}${type === 'INDIRECT' ? ' (indirect)' : ''}${masking ? ', masked' : ''}`
    })
    .join('; ')
}
