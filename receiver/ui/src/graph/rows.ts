/** What the graph shows, as rows: for the table beside it, and for CSV and JSON. Pure. */

import type { ColumnEdge } from '../api/types'
import { kindWords, type Model, type Way } from './model'
import { isReader } from './scene'

export interface EdgeRow {
  sourceNamespace: string
  source: string
  sourceField: string | null
  targetNamespace: string
  target: string
  targetField: string | null
  kinds: string
  expression: string | null
  job: string | null
  jobNamespace: string | null
  /** The target is the job, which only reads. */
  reader: boolean
}

/** The edges between columns, or those of one column's ways; then the tables of which only the link is known, and readers. */
export function rowsOf(model: Model, edges: ColumnEdge[], way: Way | null): EdgeRow[] {
  const rows: EdgeRow[] = []
  const told = new Set<string>()
  for (const edge of edges) {
    told.add(`${edge.source.dataset} ${edge.target.dataset}`)
    if (way && !way.edges.has(edge)) continue
    const row = build(model, edge.source.dataset, edge.target.dataset, edge.job)
    if (row) rows.push({ ...row, sourceField: edge.source.field, targetField: edge.target.field, kinds: kindWords(edge), expression: edge.expression })
  }
  if (way === null) {
    for (const { source, job, target } of model.tableEdges) {
      if (source !== null && target === null && job !== null) rows.push(...readerOf(model, source, job))
      if (source === null || target === null || told.has(`${source} ${target}`)) continue
      const row = build(model, source, target, job)
      if (row) rows.push({ ...row, kinds: 'table only' })
    }
  }
  return rows.sort((one, other) => order(one).localeCompare(order(other)))
}

function readerOf(model: Model, source: string, job: string): EdgeRow[] {
  const [from, by] = [model.datasets.get(source), model.jobs.get(job)]
  if (!from || !by || !isReader(by)) return []
  return [{
    sourceNamespace: from.namespace, source: from.name, sourceField: null, targetNamespace: by.namespace, target: by.name,
    targetField: null, kinds: 'read by a job', expression: null, job: by.name, jobNamespace: by.namespace, reader: true,
  }]
}

const order = (row: EdgeRow): string => [row.target, row.targetField ?? '', row.source, row.sourceField ?? ''].join('\u0000')

function build(model: Model, source: string, target: string, job: string | null): EdgeRow | null {
  const [from, to] = [model.datasets.get(source), model.datasets.get(target)]
  const by = job === null ? undefined : model.jobs.get(job)
  if (!from || !to) return null
  return {
    sourceNamespace: from.namespace, source: from.name, sourceField: null, targetNamespace: to.namespace, target: to.name,
    targetField: null, kinds: '', expression: null, job: by?.name ?? null, jobNamespace: by?.namespace ?? null, reader: false,
  }
}
