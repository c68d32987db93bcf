import type { Places } from '../layout/layout'
import { number, some } from '../parts/format'
import { Name } from '../parts/Link'
import type { Ref } from '../ref'
import { go, MOST_STEPS, type State } from '../state'
import { AsOf } from './AsOf'
import { Exports } from './Exports'
import { Legend } from './Legend'
import type { Model, Way } from './model'
import type { EdgeRow } from './rows'
import type { Scene } from './scene'

interface Props {
  state: State
  target: Ref
  model: Model
  scene: Scene
  places: Places
  rows: EdgeRow[]
  way: Way | null
  busy: boolean
}

export function Toolbar({ state, target, model, scene, places, rows, way, busy }: Props) {
  const { lock } = state
  return (
    <div class="toolbar">
      <h1 class="where"><Name of={target} /></h1>
      <span class="end">
        <span class="quiet" role="status">{busy ? 'Loading …' : `${some(model.datasets.size, 'table')}, ${some(rows.length, 'edge')}`}</span>
        <Exports model={model} scene={scene} places={places} rows={rows} name={target.name} />
        <Legend />
      </span>
      <div class="controls">
        <Steps word="Upstream" steps={state.up} change={(up) => go({ up })} />
        <Steps word="Downstream" steps={state.down} change={(down) => go({ down })} />
        <label class="tick" title="Columns that decide which rows there are or which value is taken, dotted">
          <input type="checkbox" checked={state.rows} onChange={() => go({ rows: !state.rows })} /> Filters and joins
        </label>
        <label class="tick">
          <input type="checkbox" checked={state.table} onChange={() => go({ table: !state.table })} /> Table
        </label>
        {state.targetKind === 'dataset' && <AsOf target={target} at={state.at} />}
      </div>
      {lock && (
        <p class="locked">
          <span>Ways of <Name of={lock} />{way && <span class="quiet"> {number(way.upstream)} upstream, {number(way.downstream)} downstream</span>}</span>
          <label class="tick"><input type="checkbox" checked={state.only} onChange={() => go({ only: !state.only })} /> Only these</label>
          <button type="button" onClick={() => go({ lock: null, only: false })}>Release <kbd aria-hidden="true">Esc</kbd></button>
        </p>
      )}
    </div>
  )
}

function Steps({ word, steps, change }: { word: string; steps: number; change: (steps: number) => void }) {
  const all = steps >= MOST_STEPS
  return (
    <span class="steps" role="group" aria-label={`Steps ${word.toLowerCase()}`}>
      <span class="quiet">{word}</span>
      <button type="button" aria-label={`One step less ${word.toLowerCase()}`} disabled={steps === 0} onClick={() => change(all ? 1 : steps - 1)}>−</button>
      <output>{all ? 'all' : steps}</output>
      <button type="button" aria-label={`One step more ${word.toLowerCase()}`} disabled={all} onClick={() => change(steps + 1)}>+</button>
      <button type="button" aria-label={`All ${word.toLowerCase()}`} aria-pressed={all} onClick={() => change(all ? 1 : MOST_STEPS)}>all</button>
    </span>
  )
}
