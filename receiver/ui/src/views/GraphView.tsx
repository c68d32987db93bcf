import { useMemo } from 'preact/hooks'
import type { Lineage } from '../api/types'
import type { Query } from '../api/client'
import { useAll, useAsked } from '../api/use'
import { Canvas } from '../graph/Canvas'
import { mergeAnswers, Ways, type Model } from '../graph/model'
import { BOX, buildScene, type Scene } from '../graph/scene'
import { rowsOf } from '../graph/rows'
import { TableView } from '../graph/TableView'
import { Toolbar } from '../graph/Toolbar'
import { useLayout } from '../layout/use'
import type { Question } from '../layout/layout'
import { Failed } from '../parts/Answer'
import { Boundary } from '../parts/Boundary'
import { writeRef, type Ref } from '../ref'
import type { State } from '../state'

/** Tables and jobs that one answer may hold: what a browser still draws at ease. */
const MOST_NODES = 2_500

/** The graph around a table or a job, its tools, and the same as a table. */
export function GraphView({ state, target }: { state: State; target: Ref }) {
  const common = { withRows: state.rows, asOf: state.at, limit: MOST_NODES }
  const asked = useAll<Lineage>(questions(state, target))
  const lock = useAsked<Lineage>(state.lock ? 'api/v2/lineage' : null, { ...state.lock, depth: 100, columns: 'reached', ...common })
  const opened = useAll<Lineage>(asked.answer ? missing(state, asked.answer, common) : [])
  const model = useMemo(() => {
    if (!asked.answer) return null
    return mergeAnswers([...asked.answer, ...(opened.answer ?? [])], state.lock ? lock.answer : null)
  }, [asked.answer, opened.answer, lock.answer, state.lock])
  return (
    <div class="graph-view">
      {asked.failure && <Failed asked={asked} what="the graph" />}
      {opened.failure && <Failed asked={opened} what="the columns" />}
      {lock.failure && <Failed asked={lock} what="the ways of the column" />}
      {model === null ? (
        !asked.failure && <p class="quiet centre" role="status">Loading the graph …</p>
      ) : (
        <Drawn model={model} state={state} target={target} locked={state.lock ? lock.answer?.target.id : undefined} busy={asked.busy || lock.busy || opened.busy} />
      )}
    </div>
  )
}

/** The target to each side as far as asked for, and one step more of each table that was asked for more of. */
function questions(state: State, target: Ref) {
  const common = { withRows: state.rows, asOf: state.at, limit: MOST_NODES }
  const around = { namespace: target.namespace, name: target.name, type: state.targetKind === 'job' ? 'job' : null, ...common }
  const ask = (query: Record<string, string | number | boolean | null>) => ({ path: 'api/v2/lineage', query })
  const first = state.up === state.down
    ? [ask({ ...around, depth: state.up })]
    : [ask({ ...around, direction: 'upstream', depth: state.up }), ask({ ...around, direction: 'downstream', depth: state.down })]
  return [
    ...first,
    ...state.more.map(({ ref, side }) => ask({ namespace: ref.namespace, name: ref.name, direction: side, depth: 1, ...common })),
  ]
}

/** Open tables that are shown for a locked column alone: the answer about it has none of their other columns. */
function missing(state: State, answers: Lineage[], common: Query) {
  const there = new Set(answers.flatMap(({ datasets }) => datasets.map(({ namespace, name }) => writeRef({ namespace, name }))))
  return state.open
    .filter((ref) => !there.has(writeRef(ref)))
    .map(({ namespace, name }) => ({ path: 'api/v2/lineage', query: { namespace, name, depth: 0, ...common } }))
}

interface DrawnProps { model: Model; state: State; target: Ref; /** Id of the locked column's table. */ locked: string | undefined; busy: boolean }

function Drawn({ model, state, target, locked, busy }: DrawnProps) {
  const usable = useMemo(() => model.columnEdges.filter((edge) => edge.direct || state.rows), [model, state.rows])
  const ways = useMemo(() => new Ways(usable), [usable])
  // The target may have been asked for by a name that it had before, or by an alias.
  const ids = useMemo(
    () => new Map([...[...model.datasets.values()].map(({ namespace, name, id }): [string, string] => [writeRef({ namespace, name }), id]), [writeRef(target), model.targetId]]),
    [model, target],
  )
  const way = useMemo(
    () => (locked !== undefined && state.lock?.field !== undefined ? ways.through(locked, state.lock.field) : null),
    [ways, locked, state.lock],
  )
  const among = (refs: Ref[]) => new Set(refs.flatMap(({ namespace, name }) => ids.get(writeRef({ namespace, name })) ?? []))
  const open = useMemo(() => among(state.open), [state.open, ids])
  const full = useMemo(() => among(state.full), [state.full, ids])
  const scene: Scene = useMemo(
    () => buildScene(model, ways, { open, full, way, only: state.only, rows: state.rows }),
    [model, ways, open, full, way, state.only, state.rows],
  )
  const question = useMemo(() => layoutQuestion(model, scene), [model, scene])
  const layout = useLayout(question)
  const rows = useMemo(() => rowsOf(model, usable, way), [model, usable, way])

  return (
    <>
      <Toolbar state={state} target={target} model={model} scene={scene} places={layout.places} rows={rows} way={way} busy={busy || layout.busy} />
      {model.cuts.map((cut) => <p key={cut} class="cut" role="status">{cut}</p>)}
      {layout.failed && <p class="cut" role="alert">The graph is laid out roughly, for the usual layout failed; the table below shows the same.</p>}
      <div class={state.table ? 'split-view' : 'whole-view'}>
        <Boundary what="The graph">
          <Canvas model={model} scene={scene} places={layout.places} ways={ways} way={way} more={state.more} settled={!layout.busy && !busy} />
        </Boundary>
        {(state.table || layout.failed) && (
          <Boundary what="The table"><TableView rows={rows} /></Boundary>
        )}
      </div>
    </>
  )
}

/** Tables are placed by all links between them, so that opening columns doesn't move one to another layer. */
function layoutQuestion(model: Model, scene: Scene): Question {
  const there = new Set(scene.boxes.map(({ id }) => id))
  const links = new Map<string, [string, string]>()
  const add = (from: string | null, to: string | null) => {
    if (from !== null && to !== null && from !== to && there.has(from) && there.has(to)) links.set(`${from} ${to}`, [from, to])
  }
  for (const { source, job, target } of model.tableEdges) add(source, target ?? job)
  for (const { source, target } of model.columnEdges) add(source.dataset, target.dataset)
  return { boxes: scene.boxes.map(({ id, height }) => ({ id, width: BOX.width, height })), links: [...links.values()] }
}
