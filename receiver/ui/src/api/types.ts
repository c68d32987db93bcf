/** What /api/v2 answers (docs/api.md). Times are RFC 3339. */

export interface Named {
  namespace: string
  name: string
}

export interface RunOf {
  runId: string
  state: RunState
  stateText: string
  startedAt: string | null
  endedAt: string | null
  durationMs: number | null
}

export type RunState = 'NEW' | 'RUNNING' | 'OPEN_PARENT_ENDED' | 'FAILED' | 'ABORTED' | 'COMPLETED'

export interface Run extends RunOf {
  job: Named
  endsSeen: string[]
  conflictingEnds: boolean
  endsBeforeStart: boolean
  firstEventAt: string | null
  lastEventAt: string | null
  nominalStartTime: string | null
  nominalEndTime: string | null
  streaming: boolean
  onlyNamed: boolean
  fromTheFuture: boolean
  parent: { runId: string; job: Named } | null
  root: { runId: string; job: Named } | null
  error?: string | null
}

export interface RunTree extends Run {
  children: RunTree[]
}

export type Status = 'traced' | 'constant' | 'unresolved' | 'source'

export interface Column {
  name: string
  type: string | null
  status: Status | null
  reason: string | null
  sentence: string | null
  message: string | null
  expression: string | null
  lastKnown: boolean
  upstream: number
  downstream: number
  tags: string[]
  description: string | null
}

export interface Dataset extends Named {
  id: string
  distance: number
  side: 'target' | 'upstream' | 'downstream' | 'both'
  written: boolean
  lifecycle: string | null
  droppedAt: string | null
  updatedAt: string | null
  description: string | null
  tags: string[]
  owners: { name: string; type: string | null }[]
  columns: Column[]
  columnsCut: boolean
  more: { upstream: number; downstream: number }
}

export interface CodeFile {
  type: string | null
  url: string | null
  repoUrl: string | null
  path: string | null
  version: string | null
  branch: string | null
}

export interface Job extends Named {
  id: string
  distance: number
  side: string
  jobType: { processingType: string | null; integration: string | null; jobType: string | null } | null
  consumer: boolean
  lastRun: RunOf | null
  file: CodeFile | null
  description: string | null
  owners: { name: string; type: string | null }[]
}

export interface TableEdge {
  source: string | null
  job: string | null
  target: string | null
}

export interface Kind {
  type: string
  subtype: string | null
  masking: boolean
}

export interface ColumnEdge {
  source: { dataset: string; field: string }
  target: { dataset: string; field: string | null }
  kinds: Kind[]
  masking: boolean
  direct: boolean
  expression: string | null
  lastKnown: boolean
  job: string | null
  transform: string | null
}

export interface Transform {
  id: string
  job: string | null
  target: string
  run: RunOf | null
  event: { id: string; time: string; body: string } | null
  producer: string | null
  file: CodeFile | null
  status: string | null
  message: string | null
  dialect: string | null
  sqlHash: string | null
  parserVersion: string | null
  rulesVersion: string | null
  firstSeenAt: string | null
  lastSeenAt: string | null
  sql?: { query: string; dialect: string | null } | null
}

export interface Lineage {
  target: Named & { kind: 'dataset' | 'job'; id: string; field: string | null }
  asOf: string | null
  datasets: Dataset[]
  jobs: Job[]
  tableEdges: TableEdge[]
  columnEdges: ColumnEdge[]
  transforms: Transform[]
  cut: string | null
}

export interface Evidence {
  source: Named & { field: string | null }
  target: Named & { field: string | null }
  edges: ColumnEdge[]
  jobs: Job[]
  transforms: Transform[]
}

export interface Hit extends Named {
  kind: 'dataset' | 'column' | 'job'
  id: string
  field: string | null
  type: string | null
  match: string
}

export interface Version {
  version: string
  since: string
  until: string | null
  lifecycle: string | null
  run: RunOf | null
  job: Named | null
  columns: number
  first: boolean
  came: { name: string; type: string | null }[]
  went: { name: string; type: string | null }[]
  retyped: { name: string; from: string | null; to: string | null }[]
  moved: boolean
}

export interface Troubled extends Run {
  error: string | null
  outputs: (Named & { id: string })[]
  downstream: { datasets: number; jobs: number; consumers: number; checks: number; nearest: (Named & { id: string })[]; capped: boolean }
}

export interface Attention {
  since: string
  counts: { failed: number; aborted: number; open: number }
  runs: Troubled[]
  next: string | null
  capped: boolean
}

export interface Summary {
  runs: Record<string, number>
  jobs: number
  datasets: number
  edges: number
  columns: { traced: number; constant: number; unresolved: number; total: number }
  events: { accepted: number; rejected: number; late: number }
  capped: string[]
}

export interface Impact {
  counts: { columns: number; datasets: number; jobs: number; consumers: number; checks: number }
  datasets: (Named & { id: string; distance: number; why: string; columns: number })[]
  consumers: (Named & { id: string; distance: number; why: string })[]
  owners: string[]
  cut: string | null
}

export interface Unresolved {
  reasons: { reason: string; sentence: string; count: number }[]
  total: number
  /** Tables whose jobs say nothing of columns at all. */
  silent: number
  capped: boolean
  columns: (Named & {
    dataset: string; field: string; reason: string; sentence: string | null; message: string | null
    expression: string | null; lastKnown: boolean; job: Named | null; since: string | null
  })[]
  next: string | null
}

export interface EventEntry {
  id: string
  kind: string
  eventType: string | null
  eventTime: string
  receivedAt: string
  size: number
  job: Named | null
  runId: string | null
  body: string | null
}

export interface Ends<T> {
  came: T[]
  went: T[]
}

export type NamedColumn = Named & { field: string | null }

export interface ColumnState {
  type: string | null
  status: Status | null
  reason: string | null
}

export interface EdgeState {
  kinds: Kind[]
  expression: string | null
}

export interface NamedEdge {
  source: NamedColumn
  target: NamedColumn
  job: Named | null
}

/** What two runs said, one against the other. */
export interface Diff {
  from: { at: string | null; run: Run }
  to: { at: string | null; run: Run }
  same: boolean
  columns: Ends<NamedColumn & { type: string | null }> & { changed: (NamedColumn & { from: ColumnState; to: ColumnState })[] }
  columnEdges: Ends<NamedEdge & EdgeState> & { changed: (NamedEdge & { from: EdgeState; to: EdgeState })[] }
  tableEdges: Ends<{ source: Named | null; job: Named | null; target: Named | null }>
  cut: string | null
}
