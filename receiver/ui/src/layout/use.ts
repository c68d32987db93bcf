/** The layout of what is shown, made by a worker; the one before stays until the next is there. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Places, Question } from './layout'

export interface Layout {
  places: Places
  /** A layout is under way. */
  busy: boolean
  failed: boolean
}

export function useLayout(question: Question | null): Layout {
  const worker = useRef<Worker | null>(null)
  const number = useRef(0)
  const [held, setHeld] = useState<{ places: Places; of: string; failed: boolean }>({ places: {}, of: '', failed: false })
  const key = question === null ? '' : JSON.stringify(question)

  useEffect(() => {
    if (question === null) return
    const mine = ++number.current
    const started = (worker.current ??= new Worker(new URL(LAYOUT_WORKER, document.baseURI), { type: 'module' }))
    started.onmessage = ({ data }: MessageEvent<{ number: number; places: Places }>) => {
      if (data.number === number.current) setHeld({ places: data.places, of: key, failed: false })
    }
    started.onerror = () => setHeld((before) => ({ ...before, of: key, failed: true }))
    started.postMessage({ number: mine, question })
  }, [key])
  useEffect(() => () => worker.current?.terminate(), [])

  return { places: held.places, busy: key !== held.of, failed: held.failed }
}
