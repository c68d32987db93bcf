/** What is drawn of a model: boxes with the rows that are open, and the lines between them. Pure. */

import type { ColumnEdge, Dataset, Job } from '../api/types'
import { splitName } from '../ref'
import { fieldKey, letterOf, type Letter, type Model, type Way, type Ways } from './model'

export const BOX = { width: 236, head: 50, row: 26, foot: 8 }
export const ROWS_AT_FIRST = 12

export interface Row {
  key: string
  field: string
  type: string | null
  letter: Letter
  reason: string | null
  /** What the row says beside its name and type, for who hears it. */
  words: string
}

export interface Box {
  id: string
  dataset: Dataset | null
  job: Job | null
  title: string
  path: string
  rows: Row[]
  /** Columns that an open box has no room for. */
  hidden: number
  open: boolean
  /** How many columns the table has; null: not known. */
  size: number | null
  height: number
}

export interface Line {
  key: string
  from: string
  to: string
  fromField: string | null
  toField: string | null
  edge: ColumnEdge | null
  jobs: string[]
}

export interface Scene {
  boxes: Box[]
  lines: Line[]
}

export interface Wish {
  /** Ids of datasets with open columns. */
  open: Set<string>
  /** Ids of open datasets that show all columns. */
  full: Set<string>
  way: Way | null
  only: boolean
  rows: boolean
}

export function buildScene(model: Model, ways: Ways, wish: Wish): Scene {
  const shown = (id: string) => !wish.only || !wish.way || wish.way.datasets.has(id)
  const boxes: Box[] = []
  for (const dataset of model.datasets.values()) if (shown(dataset.id)) boxes.push(buildBox(dataset, ways, wish, model.partial.has(dataset.id)))
  if (!(wish.only && wish.way)) boxes.push(...buildConsumers(model))
  const there = new Map(boxes.map((box) => [box.id, new Set(box.rows.map((row) => row.field))]))
  return { boxes, lines: buildLines(model, there, wish) }
}

function buildBox(dataset: Dataset, ways: Ways, wish: Wish, partial: boolean): Box {
  const open = wish.open.has(dataset.id)
  const onWay = (field: string) => wish.way?.fields.has(fieldKey(dataset.id, field)) ?? false
  const linked = dataset.columns.filter((column) => column.upstream + column.downstream > 0 || column.status === 'unresolved')
  const rest = dataset.columns.filter((column) => !linked.includes(column))
  const first = wish.full.has(dataset.id) ? Infinity : ROWS_AT_FIRST
  const chosen = open ? new Set([...linked, ...rest].slice(0, first)) : new Set<Dataset['columns'][number]>()
  const columns = dataset.columns.filter((column) => chosen.has(column) || onWay(column.name))
  const rows = columns.map((column): Row => {
    const key = fieldKey(dataset.id, column.name)
    const letter = letterOf(column, ways.madeOf(key))
    const reason = column.status === 'unresolved' ? column.sentence ?? column.reason : null
    const counts = `${count(column.upstream, 'upstream')}, ${count(column.downstream, 'downstream')}`
    return {
      key, field: column.name, type: column.type, letter, reason,
      words: `, ${letter.words}${reason ? `: ${reason}` : ''}, ${counts}`,
    }
  })
  const hidden = open ? dataset.columns.length - columns.length : 0
  const { last, path } = splitName(dataset.name)
  return {
    id: dataset.id, dataset, job: null, title: last, path, rows, hidden, open, size: partial ? null : dataset.columns.length,
    height: BOX.head + (rows.length + (hidden > 0 ? 1 : 0)) * BOX.row + (rows.length ? BOX.foot : 0),
  }
}

export const count = (number: number, word: string): string => `${number >= 100 ? '100 or more' : number} ${word}`

/** Jobs that only read, but for checks, of which there is one a column. */
function buildConsumers(model: Model): Box[] {
  return [...model.jobs.values()].filter(isReader).map((job) => {
    const { last, path } = nameOfReader(job)
    return { id: job.id, dataset: null, job, title: last, path, rows: [], hidden: 0, open: false, size: null, height: BOX.head }
  })
}

/** dbt's exposures are `exposure.PROJECT.NAME.TARGET`. */
function nameOfReader(job: Job): { last: string; path: string } {
  const [kind, , name] = job.name.split('.')
  const type = job.jobType?.jobType?.toLowerCase()
  return kind === 'exposure' && name !== undefined ? { last: name, path: kind } : { ...splitName(job.name), ...(type && { path: type }) }
}

/** Whether a job only reads, and is drawn. */
export const isReader = (job: Job): boolean => job.consumer && !isCheck(job)

/** Tests and other checks, of which there may be many a column, as their job's type says. */
export const isCheck = ({ jobType }: Pick<Job, 'jobType'>): boolean => /test|check|assert/i.test(jobType?.jobType ?? '')

function buildLines(model: Model, there: Map<string, Set<string>>, wish: Wish): Line[] {
  const lines = new Map<string, Line>()
  const covered = new Set<string>()
  for (const edge of model.columnEdges) {
    const from = there.get(edge.source.dataset)
    const to = there.get(edge.target.dataset)
    if (!from?.has(edge.source.field) || !to || (!edge.direct && !wish.rows)) continue
    if (edge.target.field !== null && !to.has(edge.target.field)) continue
    const pair = `${edge.source.dataset} ${edge.target.dataset}`
    covered.add(pair)
    const key = `${pair} ${edge.source.field} ${edge.target.field ?? ''}`
    const line = lines.get(key)
    if (line?.edge?.direct) continue
    lines.set(key, {
      key, from: edge.source.dataset, to: edge.target.dataset, fromField: edge.source.field, toField: edge.target.field,
      edge, jobs: edge.job ? [edge.job] : [],
    })
  }
  for (const { source, job, target } of model.tableEdges) {
    const from = source
    const to = target ?? job
    if (from === null || to === null || !there.has(from) || !there.has(to) || from === to) continue
    const key = `${from} ${to}`
    if (covered.has(key)) continue
    const line = lines.get(key)
    if (line) job && !line.jobs.includes(job) && line.jobs.push(job)
    else lines.set(key, { key, from, to, fromField: null, toField: null, edge: null, jobs: job ? [job] : [] })
  }
  return [...lines.values()]
}

/** Where a line leaves or enters a box, from the box's top. */
export function heightOf(box: Box, field: string | null): number {
  const at = field === null ? -1 : box.rows.findIndex((row) => row.field === field)
  return at < 0 ? BOX.head / 2 : BOX.head + at * BOX.row + BOX.row / 2
}
