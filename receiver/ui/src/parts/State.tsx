import type { RunState } from '../api/types'
import { ago, time } from './format'

const MARKS: Record<RunState, string> = {
  COMPLETED: '✓', FAILED: '✕', ABORTED: '⊘', RUNNING: '▸', OPEN_PARENT_ENDED: '?', NEW: '·',
}

/** The state of a run: a mark, its word and a colour. */
export function RunStateChip({ state, text }: { state: RunState; text: string }) {
  return <span class={`state state-${state.toLowerCase()}`}><span aria-hidden="true">{MARKS[state]}</span> {text}</span>
}

export function When({ at }: { at: string | null }) {
  return at ? <time dateTime={at} title={time(at)}>{ago(at)}</time> : <span>never</span>
}

export function Exactly({ at }: { at: string | null }) {
  return at ? <time dateTime={at} title={at}>{time(at)}</time> : <span>–</span>
}
