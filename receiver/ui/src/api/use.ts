/** A question as part of a component: under way, answered, or failed and to be asked again. */

import { useCallback, useEffect, useState } from 'preact/hooks'
import { ask, askText, Failure, pathOf, type Query } from './client'

export interface Asked<T> {
  answer: T | null
  failure: Failure | null
  /** Under way; `answer` may still be the one before. */
  busy: boolean
  again: () => void
}

type Load<T> = (signal: AbortSignal) => Promise<T>

function useLoad<T>(key: string | null, load: Load<T>): Asked<T> {
  const [tries, setTries] = useState(0)
  const [held, setHeld] = useState<{ key: string | null; answer: T | null; of: string | null; failure: Failure | null }>({
    key: null, answer: null, of: null, failure: null,
  })
  const wanted = key === null ? null : `${tries} ${key}`
  useEffect(() => {
    if (wanted === null) return
    const stop = new AbortController()
    load(stop.signal).then(
      (answer) => stop.signal.aborted || setHeld({ key: wanted, answer, of: key, failure: null }),
      (error: unknown) => {
        if (stop.signal.aborted) return
        const failure = error instanceof Failure ? error : new Failure(0, 'The answer could not be read.')
        setHeld((before) => ({ ...before, key: wanted, failure }))
      },
    )
    return () => stop.abort()
  }, [wanted])
  const again = useCallback(() => setTries((count) => count + 1), [])
  const mine = held.key === wanted
  return {
    answer: wanted === null || (mine && held.failure && held.of !== key) ? null : held.answer,
    failure: mine ? held.failure : null,
    busy: wanted !== null && !mine,
    again,
  }
}

/** The answer to a GET; null `path`: nothing is asked. The answer before stays while another is under way, not once that failed. */
export function useAsked<T>(path: string | null, query?: Query): Asked<T> {
  const key = path === null ? null : pathOf(path, query)
  return useLoad<T>(key, (signal) => ask<T>(key ?? '', undefined, signal))
}

export function useText(path: string | null): Asked<string> {
  return useLoad<string>(path, (signal) => askText(path ?? '', signal))
}

/** Several answers as one: all of them, or the first failure. */
export function useAll<T>(questions: { path: string; query: Query }[]): Asked<T[]> {
  const keys = questions.map(({ path, query }) => pathOf(path, query))
  return useLoad<T[]>(keys.length ? keys.join('\n') : null, (signal) =>
    Promise.all(keys.map((key) => ask<T>(key, undefined, signal))),
  )
}
