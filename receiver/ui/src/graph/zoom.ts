/** Panning and zooming of the graph by mouse, touch and code; the layer is moved without drawing anything anew. */

import { select } from 'd3-selection'
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Places } from '../layout/layout'
import { BOX, type Box } from './scene'

export interface Window {
  x: number
  y: number
  k: number
  width: number
  height: number
}

const LEAST = 0.01
const READABLE = 0.5

export interface Camera {
  window: Window
  fit: () => void
  by: (factor: number) => void
  /** Bring a box into the window, if it isn't in it. */
  show: (box: Box) => void
  /** Move so that a box that went from `before` to `after` stays where it was on the screen. */
  keep: (before: { x: number; y: number }, after: { x: number; y: number }) => void
  /** Put a box into the middle, all around it in sight if that is readable. */
  start: (box: Box) => void
}

export function useCamera(frame: RefObject<HTMLDivElement | null>, layer: RefObject<HTMLDivElement | null>, boxes: Box[], places: Places): Camera {
  const [view, setView] = useState<Window>({ x: 0, y: 0, k: 1, width: 1, height: 1 })
  const behaviour = useRef<ZoomBehavior<HTMLDivElement, unknown> | null>(null)
  const now = useRef(zoomIdentity)
  const held = useRef({ boxes, places })
  held.current = { boxes, places }

  useEffect(() => {
    const element = frame.current
    if (!element) return
    let asked = 0
    const tell = () => {
      asked = 0
      setView({ x: now.current.x, y: now.current.y, k: now.current.k, width: element.clientWidth, height: element.clientHeight })
    }
    const soon = () => (asked ||= requestAnimationFrame(tell))
    behaviour.current = zoom<HTMLDivElement, unknown>()
      .scaleExtent([LEAST, 2])
      .filter((event: Event) => event.type !== 'dblclick' && (!(event instanceof MouseEvent) || event.type === 'wheel' || event.button === 0))
      .on('zoom', ({ transform }: D3ZoomEvent<HTMLDivElement, unknown>) => {
        now.current = transform
        if (layer.current) layer.current.style.transform = `translate(${transform.x}px, ${transform.y}px) scale(${transform.k})`
        soon()
      })
    select(element).call(behaviour.current)
    const watch = new ResizeObserver(soon)
    watch.observe(element)
    return () => {
      cancelAnimationFrame(asked)
      watch.disconnect()
      select(element).on('.zoom', null)
    }
  }, [])

  const moves = useMemo(() => {
    const to = (x: number, y: number, k: number) => {
      if (frame.current && behaviour.current) select(frame.current).call(behaviour.current.transform, zoomIdentity.translate(x, y).scale(k))
    }
    const size = () => ({ width: frame.current?.clientWidth ?? 1, height: frame.current?.clientHeight ?? 1 })
    const fit = () => {
      const all = extent(held.current.boxes, held.current.places)
      const { width, height } = size()
      if (!all) return
      const k = Math.max(LEAST, Math.min(1, width / (all.right - all.left + 48), height / (all.bottom - all.top + 48)))
      to((width - (all.left + all.right) * k) / 2, (height - (all.top + all.bottom) * k) / 2, k)
    }
    return {
      fit,
      by: (factor: number) => {
        if (frame.current && behaviour.current) select(frame.current).call(behaviour.current.scaleBy, factor)
      },
      keep: (before: { x: number; y: number }, after: { x: number; y: number }) => {
        const { x, y, k } = now.current
        to(x + (before.x - after.x) * k, y + (before.y - after.y) * k, k)
      },
      show: (box: Box) => {
        const place = held.current.places[box.id]
        if (!place) return
        const { x, y, k } = now.current
        const { width, height } = size()
        const [left, top] = [x + place.x * k, y + place.y * k]
        const inside = left >= 0 && top >= 0 && left + BOX.width * k <= width && top + BOX.head * k <= height
        if (!inside) to(width / 2 - (place.x + BOX.width / 2) * k, height / 2 - (place.y + BOX.head / 2) * k, k)
      },
      start: (box: Box) => {
        const place = held.current.places[box.id]
        const all = extent(held.current.boxes, held.current.places)
        const { width, height } = size()
        if (!place || !all) return
        if (Math.min(width / (all.right - all.left + 48), height / (all.bottom - all.top + 48)) >= READABLE) return fit()
        to(width / 2 - (place.x + BOX.width / 2) * READABLE, height / 2 - (place.y + box.height / 2) * READABLE, READABLE)
      },
    }
  }, [])
  return { window: view, ...moves }
}

function extent(boxes: Box[], places: Places) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    const place = places[box.id]
    if (!place) continue
    left = Math.min(left, place.x)
    top = Math.min(top, place.y)
    right = Math.max(right, place.x + BOX.width)
    bottom = Math.max(bottom, place.y + box.height)
  }
  return left === Infinity ? null : { left, top, right, bottom }
}
