/** The layout of what is shown, made by a worker; the one before stays until the next is there. Without it a rough one. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { placeRoughly, type Places, type Question } from './layout'

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
    const fail = () => {
      worker.current?.terminate()
      worker.current = null
      if (mine === number.current) setHeld({ places: placeRoughly(question), of: key, failed: true })
    }
    const started = start(worker)
    if (started === null) return fail()
    started.onmessage = ({ data }: MessageEvent<{ number: number; places: Places }>) => {
      if (data.number === number.current) setHeld({ places: data.places, of: key, failed: false })
    }
    started.onerror = fail
    started.postMessage({ number: mine, question })
  }, [key])
  useEffect(() => () => worker.current?.terminate(), [])

  return { places: held.places, busy: key !== held.of, failed: held.failed }
}

/** The worker that there is, or a new one; null where the browser refuses it. */
function start(worker: { current: Worker | null }): Worker | null {
  try {
    return (worker.current ??= new Worker(new URL(LAYOUT_WORKER, document.baseURI), { type: 'module' }))
  } catch {
    return null
  }
}
