import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import type { ColumnState, Diff as Found, EdgeState, NamedColumn, Run } from '../api/types'
import { useAsked } from '../api/use'
import { kindWords } from '../graph/model'
import { Answer } from '../parts/Answer'
import { number } from '../parts/format'
import { DatasetLink, Name, runDetails, RunLink, To } from '../parts/Link'
import { Exactly, RunStateChip } from '../parts/State'
import { go, START } from '../state'
import { Pages } from './Runs'

const STEP = 200
const NONE = 'not told'

/** What two runs said of what they read and wrote, one against the other. */
export function Diff({ from, to, pages }: { from: string | null; to: string | null; pages: string[] }) {
  const one = from ?? to
  return (
    <div class="sheet wide">
      <h1>What changed between two runs</h1>
      <Ids key={`${from} ${to}`} from={from} to={to} />
      {from !== null && to !== null ? <Between from={from} to={to} /> : one !== null ? <Choose one={one} pages={pages} /> : (
        <p class="quiet">Give the ids of two runs, or open one of the <To state={{ ...START, view: 'runs' }}>runs</To> and compare it with another.</p>
      )}
    </div>
  )
}

function Ids({ from, to }: { from: string | null; to: string | null }) {
  const compare = (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const sent = new FormData(event.currentTarget)
    const read = (name: string) => String(sent.get(name) ?? '').trim() || null
    go({ fromRun: read('from'), toRun: read('to') })
  }
  return (
    <form class="run-ids" onSubmit={compare}>
      <label><span class="quiet">From run</span> <input name="from" class="mono" spellcheck={false} autocomplete="off" defaultValue={from ?? ''} /></label>
      <label><span class="quiet">to run</span> <input name="to" class="mono" spellcheck={false} autocomplete="off" defaultValue={to ?? ''} /></label>
      <button type="submit">Compare</button>
      <button type="button" disabled={from === null || to === null} onClick={() => go({ fromRun: to, toRun: from })}>Swap</button>
    </form>
  )
}

/** The other runs of a run's job, each to be compared with it. */
function Choose({ one, pages }: { one: string; pages: string[] }) {
  const asked = useAsked<{ runs: Run[] }>('api/v2/runs', { runId: one })
  return (
    <Answer asked={asked} what="the run">
      {({ runs }) => {
        const run = runs.filter(({ onlyNamed }) => !onlyNamed).at(-1) ?? runs.at(-1)
        return run ? <Others of={run} pages={pages} /> : <p class="quiet">No event has named a run {one}.</p>
      }}
    </Answer>
  )
}

const began = (run: Run): number => Date.parse(run.startedAt ?? run.firstEventAt ?? '') || 0

function Others({ of, pages }: { of: Run; pages: string[] }) {
  const asked = useAsked<{ runs: Run[]; nextCursor: string | null }>('api/v2/runs', {
    namespace: of.job.namespace, job: of.job.name, limit: 50, cursor: pages.at(-1),
  })
  return (
    <section aria-labelledby="others">
      <h2 id="others">Compare this run of <Name of={of.job} /> with</h2>
      <Answer asked={asked} what="its other runs">
        {({ runs, nextCursor }) => {
          const others = runs.filter(({ runId }) => runId !== of.runId)
          return (
            <>
              {others.length === 0 && <p class="quiet">No other run of this job is known{pages.length > 0 || nextCursor ? ' on this page' : ''}.</p>}
              <ul class="plain-list">
                {others.map((run) => {
                  const [from, to] = began(run) <= began(of) ? [run, of] : [of, run]
                  return (
                    <li key={run.runId}>
                      <RunStateChip state={run.state} text={run.stateText} />{' '}
                      <To state={{ fromRun: from.runId, toRun: to.runId }}><Exactly at={run.startedAt ?? run.firstEventAt} /></To>{' '}
                      <RunLink id={run.runId} job={run.job} />
                    </li>
                  )
                })}
              </ul>
              <Pages of={pages} next={nextCursor} busy={asked.busy} show={(pages) => go({ pages })} />
            </>
          )
        }}
      </Answer>
    </section>
  )
}

function Between({ from, to }: { from: string; to: string }) {
  const asked = useAsked<Found>('api/v2/diff', { fromRun: from, toRun: to })
  return (
    <Answer asked={asked} what="what changed">
      {(found) => (
        <>
          <p class="compared"><End word="From" run={found.from.run} /><End word="to" run={found.to.run} /></p>
          {found.cut && <p class="warn" role="status">{found.cut} compared.</p>}
          {found.same ? <p class="good"><span aria-hidden="true">✓</span> Nothing changed: both runs say the same of what they read and wrote.</p> : <Changes of={found} />}
        </>
      )}
    </Answer>
  )
}

function End({ word, run }: { word: string; run: Run }) {
  return (
    <span>
      <span class="quiet">{word}</span> <RunStateChip state={run.state} text={run.stateText} />{' '}
      <To state={runDetails(run.runId, run.job)} class="name"><Name of={run.job} /></To>{' '}
      <span class="quiet"><Exactly at={run.startedAt ?? run.firstEventAt} /></span>
    </span>
  )
}

type Change = 'came' | 'went' | 'changed'
const SIGNS: Record<Change, string> = { came: '+', went: '−', changed: '~' }
interface Row { change: Change; cells: ComponentChildren[] }

/** The rows of a part, what came first. */
function rowsOf<T>(came: T[], went: T[], show: (one: T) => ComponentChildren[]): Row[] {
  return [...came.map((one): Row => ({ change: 'came', cells: show(one) })), ...went.map((one): Row => ({ change: 'went', cells: show(one) }))]
}

function Changes({ of: { columns, columnEdges: edges, tableEdges: tables } }: { of: Found }) {
  const changed = (cells: ComponentChildren[]): Row => ({ change: 'changed', cells })
  return (
    <>
      <Part title="Columns" heads={['Column', 'What is said of it']} rows={[
        ...rowsOf(columns.came, columns.went, (one) => [<Column of={one} />, one.type && <code>{one.type}</code>]),
        ...columns.changed.map((one) => changed([<Column of={one} />, <States from={one.from} to={one.to} />])),
      ]} />
      <Part title="Column edges" heads={['From', 'To', 'Kind', 'Expression']} rows={[
        ...rowsOf(edges.came, edges.went, (one) => [<Column of={one.source} />, <Column of={one.target} />, kindWords(one), one.expression && <code>{one.expression}</code>]),
        ...edges.changed.map((one) => changed([<Column of={one.source} />, <Column of={one.target} />, ...became(one.from, one.to)])),
      ]} />
      <Part title="Tables" heads={['From', 'Job', 'To']} rows={rowsOf(tables.came, tables.went, (one) => [
        one.source && <DatasetLink of={one.source} />,
        one.job && <To state={{ panel: { kind: 'job', parts: [one.job.namespace, one.job.name] } }} class="name"><Name of={one.job} /></To>,
        one.target && <DatasetLink of={one.target} />,
      ])} />
    </>
  )
}

function Part({ title, heads, rows }: { title: string; heads: string[]; rows: Row[] }) {
  const [most, setMost] = useState(STEP)
  if (rows.length === 0) return null
  const counts = (['came', 'went', 'changed'] as const).map((change) => ({ change, many: rows.filter((row) => row.change === change).length }))
  return (
    <section>
      <h2>{title} <small class="quiet">{counts.filter(({ many }) => many > 0).map(({ change, many }) => `${number(many)} ${change}`).join(', ')}</small></h2>
      <div class="scrolls" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead><tr><th>Change</th>{heads.map((head) => <th key={head}>{head}</th>)}</tr></thead>
          <tbody>
            {rows.slice(0, most).map(({ change, cells }, at) => (
              <tr key={at}>
                <td class={`change ${change}`}><span aria-hidden="true">{SIGNS[change]}</span> {change}</td>
                {cells.map((cell, column) => <td key={column}>{cell}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && <p><button type="button" onClick={() => setMost(most + STEP)}>Show {Math.min(STEP, rows.length - most)} more</button></p>}
    </section>
  )
}

function Column({ of: { namespace, name, field } }: { of: NamedColumn }) {
  return field === null ? <><DatasetLink of={{ namespace, name }} /> <span class="quiet">(its rows)</span></> : <DatasetLink of={{ namespace, name, field }} />
}

function States({ from, to }: { from: ColumnState; to: ColumnState }) {
  return (['type', 'status', 'reason'] as const).filter((key) => from[key] !== to[key]).map((key) => (
    <div key={key}><span class="quiet">{key}</span> <code>{say(from[key])}</code> became <code>{say(to[key])}</code></div>
  ))
}

const say = (value: string | null): string => value?.replaceAll('_', ' ') ?? NONE

/** The kind and the expression of an edge that is on both sides, before and after where they differ. */
function became(from: EdgeState, to: EdgeState): ComponentChildren[] {
  const [before, after] = [kindWords(from), kindWords(to)]
  return [
    before === after ? after : `${before} became ${after}`,
    from.expression === to.expression ? to.expression && <code>{to.expression}</code> : <><code>{from.expression ?? NONE}</code> became <code>{to.expression ?? NONE}</code></>,
  ]
}
