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
  return places
}
