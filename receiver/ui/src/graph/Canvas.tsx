import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Places } from '../layout/layout'
import { splitParts, writeRef, type Ref } from '../ref'
import { currentState, go, type Side, type State } from '../state'
import { BoxView, type BoxActions } from './BoxView'
import { Lines } from './Lines'
import type { Model, Way, Ways } from './model'
import { boxOf, move, type Arrow } from './moves'
import { BOX, type Box, type Line, type Scene } from './scene'
import { useCamera, type Window } from './zoom'

/** From here on only what is in sight is drawn. */
const MANY = 200
const MARGIN = 240
const SIDES: Side[] = ['upstream', 'downstream']

interface Props {
  model: Model
  scene: Scene
  places: Places
  ways: Ways
  way: Way | null
  /** Tables that were asked for their next step, too. */
  more: State['more']
  /** Nothing is under way: what is shown is what was asked for. */
  settled: boolean
}

export function Canvas({ model, scene, places, ways, way, more, settled }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const camera = useCamera(frame, layer, scene.boxes, places)
  const [hovered, setHovered] = useState<{ box: string; field: string } | null>(null)
  const [at, setAt] = useState<string | null>(null)
  /** Where the keyboard leads to: focused as soon as it is drawn. */
  const [ahead, setAhead] = useState<{ item: string } | null>(null)
  const boxes = useMemo(() => new Map(scene.boxes.map((box) => [box.id, box])), [scene])
  const focused = at !== null && boxOf(scene, at) ? at : boxes.has(model.targetId) ? model.targetId : scene.boxes[0]?.id ?? null
  const shownWay = useMemo(() => (way === null && hovered ? ways.through(hovered.box, hovered.field) : way), [way, hovered, ways])
  useLayoutEffect(() => {
    if (ahead) itemOf(frame.current, ahead.item)?.focus({ preventScroll: true })
  }, [ahead])
  useAnchor(camera, model, boxes, places, focused)

  const actions = useMemo((): BoxActions => ({
    toggle: (box) => go({ open: toggled(currentState().open, refOf(box)), full: without(currentState().full, refOf(box)) }),
    details: (box) => go({ panel: { kind: box.dataset ? 'dataset' : 'job', parts: partsOf(box) } }),
    grow: (box, side) => grow(box, side),
    lock: (box, row) => {
      const { namespace, name } = refOf(box)
      const { lock } = currentState()
      const same = lock?.namespace === namespace && lock.name === name && lock.field === row.field
      setHovered(null)
      go(same ? { lock: null, only: false, panel: null } : { lock: { namespace, name, field: row.field }, panel: { kind: 'column', parts: [namespace, name, row.field] } })
    },
    hover: (box, row) => setHovered(row ? { box: box.id, field: row.field } : null),
    focus: setAt,
    full: (box) => go({ full: [...currentState().full, refOf(box)] }, { replace: true }),
  }), [])

  const onKey = (event: KeyboardEvent) => {
    if (focused === null || event.ctrlKey || event.metaKey || event.altKey) return
    const box = boxOf(scene, focused)
    if (event.key.startsWith('Arrow')) {
      event.preventDefault()
      const next = move(scene, places, ways, focused, event.key as Arrow)
      const there = next === null ? null : boxOf(scene, next)
      if (next === null || !there) return
      camera.show(there)
      setAt(next)
      setAhead({ item: next })
    } else if (box && (event.key === '[' || event.key === ']')) grow(box, event.key === '[' ? 'upstream' : 'downstream')
    else if (box && event.key === 'i') actions.details(box)
    else if (event.key === '0') camera.fit()
    else if (event.key === '+' || event.key === '-') camera.by(event.key === '+' ? 1.25 : 0.8)
  }

  const seen = scene.boxes.length > MANY ? scene.boxes.filter((box) => box.id === boxOf(scene, focused ?? '')?.id || inSight(box, places, camera.window)) : scene.boxes
  const lines = scene.boxes.length > MANY ? linesInSight(scene.lines, places, camera.window) : scene.lines
  const locked = way?.start ?? null
  return (
    <div class={`canvas${camera.window.k < 0.4 ? ' far' : ''}${camera.window.k < 0.12 ? ' very-far' : ''}`} ref={frame} role="group" data-settled={settled}
      aria-label={`Lineage graph, ${scene.boxes.length} tables and jobs. Arrow keys follow the edges, Enter opens, left and right bracket show more up and down stream.`}
      onKeyDown={onKey}>
      <div class="layer" ref={layer}>
        <Lines lines={lines} boxes={boxes} places={places} way={shownWay} onPick={(line) => pick(line, model)} />
        {seen.map((box) => {
          const place = places[box.id]
          if (!place) return null
          return (
            <BoxView key={box.id} box={box} x={place.x} y={place.y} way={shownWay} locked={locked} target={box.id === model.targetId}
              grown={SIDES.filter((side) => isGrown(more, box, side)).join(' ')}
              at={focused !== null && (focused === box.id || box.rows.some(({ key }) => key === focused)) ? focused : null} actions={actions} />
          )
        })}
      </div>
      <div class="zoom-buttons" role="group" aria-label="Zoom">
        <button type="button" aria-label="Closer" onClick={() => camera.by(1.25)}><span aria-hidden="true">+</span></button>
        <button type="button" aria-label="Farther" onClick={() => camera.by(0.8)}><span aria-hidden="true">−</span></button>
        <button type="button" aria-label="All of it" title="All of it (0)" onClick={camera.fit}><span aria-hidden="true">⤢</span></button>
      </div>
    </div>
  )
}

/** At first the target is in the middle; later what the reader is at stays where it is, whatever comes or goes around it. */
function useAnchor(camera: ReturnType<typeof useCamera>, model: Model, boxes: Map<string, Box>, places: Places, focused: string | null): void {
  const before = useRef<{ target: string; places: Places }>({ target: '', places: {} })
  useLayoutEffect(() => {
    const target = boxes.get(model.targetId) ?? boxes.values().next().value
    if (!target || !places[target.id]) return
    if (before.current.target !== model.targetId) {
      camera.start(target)
    } else if (before.current.places !== places) {
      const anchor = [focused === null ? '' : splitParts(focused)[0] ?? '', target.id].find((id) => before.current.places[id] && places[id])
      const [was, is] = anchor === undefined ? [] : [before.current.places[anchor], places[anchor]]
      if (was && is && (was.x !== is.x || was.y !== is.y)) camera.keep(was, is)
    }
    before.current = { target: model.targetId, places }
  }, [model.targetId, places, boxes])
  useEffect(() => () => { before.current = { target: '', places: {} } }, [])
}

const refOf = (box: Box): Ref => ({ namespace: box.dataset?.namespace ?? '', name: box.dataset?.name ?? '' })
const partsOf = (box: Box): string[] => [(box.dataset ?? box.job)?.namespace ?? '', (box.dataset ?? box.job)?.name ?? '']

const without = (refs: Ref[], ref: Ref): Ref[] => refs.filter((other) => writeRef(other) !== writeRef(ref))

function toggled(refs: Ref[], ref: Ref): Ref[] {
  const rest = without(refs, ref)
  return rest.length === refs.length ? [...refs, ref] : rest
}

const isStep = (one: State['more'][number], box: Box, side: Side): boolean => one.side === side && writeRef(one.ref) === writeRef(refOf(box))
const isGrown = (more: State['more'], box: Box, side: Side): boolean => more.some((one) => isStep(one, box, side))

/** One step more on a side of a table; where that was taken, it is taken back. */
function grow(box: Box, side: Side): void {
  const { more } = currentState()
  if (isGrown(more, box, side)) go({ more: more.filter((one) => !isStep(one, box, side)) })
  else if (box.dataset?.more[side]) go({ more: [...more, { ref: refOf(box), side }] })
}

function pick(line: Line, model: Model): void {
  const [from, to] = [model.datasets.get(line.from), model.datasets.get(line.to)]
  if (line.edge && from && to && line.fromField !== null) {
    go({ panel: { kind: 'edge', parts: [from.namespace, from.name, line.fromField, to.namespace, to.name, line.toField ?? ''] } })
    return
  }
  const job = line.jobs[0] === undefined ? undefined : model.jobs.get(line.jobs[0])
  if (job) go({ panel: { kind: 'job', parts: [job.namespace, job.name] } })
}

const itemOf = (frame: HTMLElement | null, item: string): HTMLElement | null =>
  frame?.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`) ?? null

function inSight(box: Box, places: Places, { x, y, k, width, height }: Window): boolean {
  const place = places[box.id]
  if (!place) return false
  const [left, top] = [x + place.x * k, y + place.y * k]
  return left < width + MARGIN && top < height + MARGIN && left + BOX.width * k > -MARGIN && top + box.height * k > -MARGIN
}

function linesInSight(lines: Line[], places: Places, { x, y, k, width, height }: Window): Line[] {
  return lines.filter((line) => {
    const [from, to] = [places[line.from], places[line.to]]
    if (!from || !to) return false
    const [left, right] = [Math.min(from.x, to.x) * k + x, (Math.max(from.x, to.x) + BOX.width) * k + x]
    const [top, bottom] = [Math.min(from.y, to.y) * k + y, (Math.max(from.y, to.y) + 400) * k + y]
    return left < width && right > 0 && top < height && bottom > 0
  })
}
