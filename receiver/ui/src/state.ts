/** All that the page shows, as the address says it: what is copied and pasted, and what "back" goes back to. */

import { useSyncExternalStore } from 'preact/compat'
import { joinParts, readRef, splitParts, writeRef, type Ref } from './ref'

export type View = 'home' | 'graph' | 'runs' | 'diff' | 'rejected' | 'unresolved'
export type Side = 'upstream' | 'downstream'
export type PanelKind = 'dataset' | 'column' | 'edge' | 'job' | 'run' | 'event'

/** What the drawer shows: `parts` name it (namespace, name …). */
export interface Panel {
  kind: PanelKind
  parts: string[]
}

export interface State {
  view: View
  /** The dataset or job that the graph is around. */
  target: Ref | null
  targetKind: 'dataset' | 'job'
  up: number
  down: number
  /** Datasets that were asked for their next step, too. */
  more: { ref: Ref; side: Side }[]
  /** Datasets whose columns are open. */
  open: Ref[]
  /** Open datasets that show all of their columns, however many. */
  full: Ref[]
  /** The column whose ways are shown. */
  lock: Ref | null
  /** Only what lies on the locked column's ways. */
  only: boolean
  /** What decides rows (filters, joins …), too. */
  rows: boolean
  /** As of this time; null: now. */
  at: string | null
  panel: Panel | null
  /** The cursors of a list in the drawer that one went on from; the last is that of what is shown. */
  panelPages: string[]
  table: boolean
  /** Which rows a list is kept to: a choice of states, a reason; null: all. */
  which: string | null
  /** As `panelPages`, of the list that a view is. */
  pages: string[]
  /** The runs that are compared, by their ids; null: to be chosen. */
  fromRun: string | null
  toRun: string | null
  /** What is searched for; null: the search is closed. */
  search: string | null
}

export const START: State = {
  view: 'home', target: null, targetKind: 'dataset', up: 1, down: 1, more: [], open: [], full: [], lock: null,
  only: false, rows: false, at: null, panel: null, panelPages: [], table: false, which: null, pages: [],
  fromRun: null, toRun: null, search: null,
}

export const MOST_STEPS = 100
const VIEWS: readonly View[] = ['home', 'graph', 'runs', 'diff', 'rejected', 'unresolved']
const PANELS: readonly PanelKind[] = ['dataset', 'column', 'edge', 'job', 'run', 'event']

export function readState(query: string): State {
  const found = new URLSearchParams(query)
  const target = readRef(found.get('dataset') ?? found.get('job'))
  const view = VIEWS.find((known) => known === found.get('view')) ?? (target ? 'graph' : 'home')
  return {
    view: view === 'graph' && !target ? 'home' : view,
    target,
    targetKind: found.has('dataset') || !found.has('job') ? 'dataset' : 'job',
    up: readSteps(found.get('up')),
    down: readSteps(found.get('down')),
    more: found.getAll('more').flatMap(readMore),
    open: found.getAll('open').flatMap((text) => readRef(text) ?? []),
    full: found.getAll('full').flatMap((text) => readRef(text) ?? []),
    lock: readRef(found.get('column')),
    only: found.get('only') === '1',
    rows: found.get('rows') === '1',
    at: readTime(found.get('at')),
    panel: readPanel(found.get('panel')),
    panelPages: found.getAll('panel-page'),
    table: found.get('table') === '1',
    which: found.get('which'),
    pages: found.getAll('page'),
    fromRun: found.get('from-run'),
    toRun: found.get('to-run'),
    search: found.get('search'),
  }
}

/** The query that `readState` reads `state` from again; what is as at the start is left out. */
export function writeState(state: State): string {
  const query = new URLSearchParams()
  const implied = state.target ? 'graph' : 'home'
  if (state.view !== implied) query.set('view', state.view)
  if (state.target) query.set(state.targetKind, writeRef(state.target))
  if (state.up !== START.up) query.set('up', String(state.up))
  if (state.down !== START.down) query.set('down', String(state.down))
  for (const { ref, side } of state.more) query.append('more', joinParts([side, ref.namespace, ref.name]))
  for (const ref of state.open) query.append('open', writeRef(ref))
  for (const ref of state.full) query.append('full', writeRef(ref))
  if (state.lock) query.set('column', writeRef(state.lock))
  if (state.only) query.set('only', '1')
  if (state.rows) query.set('rows', '1')
  if (state.at) query.set('at', state.at)
  if (state.panel) query.set('panel', joinParts([state.panel.kind, ...state.panel.parts]))
  for (const cursor of state.panelPages) query.append('panel-page', cursor)
  if (state.table) query.set('table', '1')
  if (state.which !== null) query.set('which', state.which)
  for (const cursor of state.pages) query.append('page', cursor)
  if (state.fromRun !== null) query.set('from-run', state.fromRun)
  if (state.toRun !== null) query.set('to-run', state.toRun)
  if (state.search !== null) query.set('search', state.search)
  const text = query.toString()
  return text ? `?${text}` : ''
}

function readSteps(text: string | null): number {
  const steps = Number(text ?? START.up)
  return Number.isInteger(steps) && steps >= 0 ? Math.min(steps, MOST_STEPS) : START.up
}

function readMore(text: string): State['more'] {
  const [side, namespace, name] = splitParts(text)
  if ((side !== 'upstream' && side !== 'downstream') || namespace === undefined || name === undefined) return []
  return [{ side, ref: { namespace, name } }]
}

function readTime(text: string | null): string | null {
  return text && !Number.isNaN(Date.parse(text)) ? text : null
}

function readPanel(text: string | null): Panel | null {
  if (text === null) return null
  const [first, ...parts] = splitParts(text)
  const kind = PANELS.find((known) => known === first)
  return kind && parts.length > 0 ? { kind, parts } : null
}

const watchers = new Set<() => void>()
let now: State = START

export function startState(): void {
  now = readState(location.search)
  addEventListener('popstate', () => {
    now = readState(location.search)
    watchers.forEach((tell) => tell())
  })
}

/** The state after a change: another list begins at its beginning. */
function changed(change: Partial<State>): State {
  const begun: Partial<State> = {}
  if (change.panel !== undefined) begun.panelPages = []
  if (change.view !== undefined || change.which !== undefined) begun.pages = []
  return { ...now, ...begun, ...change }
}

/** Change the state; a step in the history unless `replace`. */
export function go(change: Partial<State>, { replace = false } = {}): void {
  now = changed(change)
  const address = writeState(now) || location.pathname
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  watchers.forEach((tell) => tell())
}

export const currentState = (): State => now

export function useAddress(): State {
  return useSyncExternalStore((tell) => {
    watchers.add(tell)
    return () => watchers.delete(tell)
  }, currentState)
}

/** The state that shows the graph around `target`, from wherever one is. */
export function around(target: Ref, kind: State['targetKind'] = 'dataset'): Partial<State> {
  const { view: _, ...fresh } = START
  const { field, ...dataset } = target
  const column = kind === 'dataset' && field !== undefined
  return {
    ...fresh, view: 'graph', target: dataset, targetKind: kind, at: now.at, rows: now.rows, table: now.table,
    lock: column ? target : null, open: column ? [dataset] : [],
    panel: kind === 'job' ? { kind: 'job', parts: [target.namespace, target.name] } : null,
  }
}

export const addressOf = (change: Partial<State>): string => writeState(changed(change)) || './'
