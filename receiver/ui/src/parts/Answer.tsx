import type { ComponentChildren } from 'preact'
import type { Asked } from '../api/use'

interface Props<T> {
  asked: Asked<T>
  /** What is asked for, as in "… could not be loaded". */
  what: string
  children: (answer: T) => ComponentChildren
}

/** The answer, once it is there; until then that it is under way; a failure with its sentence and a second try. */
export function Answer<T>({ asked, what, children }: Props<T>) {
  return (
    <>
      {asked.failure && <Failed asked={asked} what={what} />}
      {asked.answer === null && asked.busy && <p class="quiet" role="status">Loading {what} …</p>}
      {asked.answer !== null && children(asked.answer)}
    </>
  )
}

export function Failed({ asked, what }: { asked: Asked<unknown>; what: string }) {
  return (
    <div class="failure" role="alert">
      <p><strong>{what[0]?.toUpperCase() + what.slice(1)} could not be loaded.</strong> {asked.failure?.message}</p>
      <button type="button" onClick={asked.again} disabled={asked.busy}>Try again</button>
    </div>
  )
}
