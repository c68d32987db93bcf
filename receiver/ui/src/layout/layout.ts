/** Boxes in layers, sources on the left. Pure; `worker.ts` runs it beside the page. */

import { Graph, layout } from '@dagrejs/dagre'

export interface Size {
  id: string
  width: number
  height: number
}

export interface Question {
  boxes: Size[]
  links: [string, string][]
}

/** The left upper corner of each box. */
export type Places = Record<string, { x: number; y: number }>

/** From here on the exact ranking takes seconds, and a plain one must do. */
const MANY = 400

export function placeBoxes({ boxes, links }: Question): Places {
  const graph = new Graph()
  const ranker = boxes.length > MANY ? 'longest-path' : 'network-simplex'
  graph.setGraph({ rankdir: 'LR', nodesep: 22, ranksep: 96, marginx: 24, marginy: 24, ranker })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height })
  for (const [from, to] of links) if (graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to)
  layout(graph)
  const places: Places = {}
  for (const { id, width, height } of boxes) {
    const { x, y } = graph.node(id) as { x: number; y: number }
    places[id] = { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }
  }
  return foldLayers(boxes, places)
}

/** The same, roughly: each box in the layer behind the last that leads to it. For where the worker can't be had. */
export function placeRoughly({ boxes, links }: Question): Places {
  const layers = new Map(boxes.map(({ id }) => [id, 0]))
  for (let round = 0, moved = true; moved && round < boxes.length && round < MANY; round++) {
    moved = false
    for (const [from, to] of links) {
      const [before, after] = [layers.get(from), layers.get(to)]
      if (before === undefined || after === undefined || after > before || before + 1 >= boxes.length) continue
      layers.set(to, before + 1)
      moved = true
    }
  }
  const [places, filled]: [Places, Map<number, number>] = [{}, new Map()]
  for (const { id, width, height } of boxes) {
    const layer = layers.get(id) ?? 0
    const y = filled.get(layer) ?? 0
    places[id] = { x: layer * (width + 2 * BESIDE), y }
    filled.set(layer, y + height + BELOW)
  }
  return foldLayers(boxes, places)
}

const TALLEST = 40
const [BESIDE, BELOW] = [56, 22]

/** A layer with more boxes than a reader would scroll through stands in several columns, in the same order. */
function foldLayers(boxes: Size[], places: Places): Places {
  const layers = new Map<number, Size[]>()
  for (const box of boxes) {
    const centre = (places[box.id]?.x ?? 0) + box.width / 2
    layers.set(centre, [...(layers.get(centre) ?? []), box])
  }
  if (![...layers.values()].some((layer) => layer.length > TALLEST)) return places
  const folded: Places = {}
  let [before, shift] = [-Infinity, 0]
  for (const [centre, layer] of [...layers].sort(([one], [other]) => one - other)) {
    layer.sort((one, other) => (places[one.id]?.y ?? 0) - (places[other.id]?.y ?? 0))
    const width = Math.max(...layer.map((box) => box.width))
    const left = Math.max(centre - width / 2 + shift, before)
    const tall = layer.length > TALLEST ? Math.max(TALLEST, Math.ceil(Math.sqrt(layer.length * 3))) : layer.length
    const columns = Math.ceil(layer.length / tall)
    for (let column = 0; column < columns; column++) {
      const part = layer.slice(column * tall, (column + 1) * tall)
      let y = -part.reduce((sum, box) => sum + box.height + BELOW, 0) / 2
      for (const box of part) {
        folded[box.id] = { x: Math.round(left + column * (width + BESIDE)), y: Math.round(y) }
        y += box.height + BELOW
      }
    }
    const extra = (columns - 1) * (width + BESIDE)
    shift += extra
    before = left + extra + width + BESIDE
  }
  return folded
}
