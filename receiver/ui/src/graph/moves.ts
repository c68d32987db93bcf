/** Where the arrow keys lead: along edges to the sides, through rows and boxes up and down. Pure. */

import type { Places } from '../layout/layout'
import { splitParts } from '../ref'
import { fieldKey, type Ways } from './model'
import { BOX, heightOf, type Box, type Scene } from './scene'

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** A box by its id, or a row by its key. */
export function boxOf(scene: Scene, item: string): Box | null {
  return scene.boxes.find((box) => box.id === item || box.rows.some((row) => row.key === item)) ?? null
}

/** The item that `arrow` leads to from `item`; null: there is none. */
export function move(scene: Scene, places: Places, ways: Ways, item: string, arrow: Arrow): string | null {
  const box = boxOf(scene, item)
  if (!box) return null
  const row = box.rows.findIndex(({ key }) => key === item)
  if (arrow === 'ArrowUp' || arrow === 'ArrowDown') return vertical(scene, places, box, row, arrow === 'ArrowDown' ? 1 : -1)
  return along(scene, places, ways, box, row, arrow === 'ArrowRight')
}

function vertical(scene: Scene, places: Places, box: Box, row: number, step: 1 | -1): string | null {
  const next = row + step
  if (next >= 0 && next < box.rows.length) return box.rows[next]?.key ?? null
  if (next === -1 && row === 0) return box.id
  const mine = places[box.id]
  if (!mine) return null
  const column = scene.boxes
    .filter((other) => other !== box && Math.abs((places[other.id]?.x ?? Infinity) - mine.x) < BOX.width)
    .map((other) => ({ other, y: places[other.id]?.y ?? 0 }))
    .filter(({ y }) => (y - mine.y) * step > 0)
    .sort((one, two) => (one.y - two.y) * step)
  const found = column[0]?.other
  if (!found) return null
  return step === 1 ? found.id : found.rows.at(-1)?.key ?? found.id
}

function along(scene: Scene, places: Places, ways: Ways, box: Box, row: number, right: boolean): string | null {
  const at = (places[box.id]?.y ?? 0) + heightOf(box, box.rows[row]?.field ?? null)
  const nearest = (items: { item: string; y: number }[]) =>
    items.sort((one, two) => Math.abs(one.y - at) - Math.abs(two.y - at))[0]?.item ?? null
  const here = box.rows[row]
  if (here) {
    const edges = right ? ways.makes(here.key) : ways.madeOf(here.key)
    const ends = edges.flatMap((edge) => {
      const end = right ? edge.target : edge.source
      const other = scene.boxes.find(({ id }) => id === end.dataset)
      if (!other) return []
      const shown = end.field !== null && other.rows.some(({ field }) => field === end.field)
      const item = shown && end.field !== null ? fieldKey(other.id, end.field) : other.id
      return [{ item, y: (places[other.id]?.y ?? 0) + heightOf(other, end.field) }]
    })
    const found = nearest(ends)
    if (found) return found
  }
  const ids = new Set(scene.lines.flatMap((line) => (right ? (line.from === box.id ? [line.to] : []) : line.to === box.id ? [line.from] : [])))
  return nearest([...ids].map((id) => ({ item: id, y: (places[id]?.y ?? 0) + BOX.head / 2 })))
}

export const datasetOf = (item: string): string => splitParts(item)[0] ?? item
