import type { ComponentChildren } from 'preact'
import { addressOf, around, go, type State } from '../state'
import { seen } from './format'
import { splitName, type Ref } from '../ref'

/** A real link (it can be copied, opened beside) to the page in another state. */
export function To({ state, children, ...rest }: { state: Partial<State>; children: ComponentChildren; class?: string; label?: string }) {
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    go(state)
  }
  return <a href={addressOf(state)} class={rest.class} aria-label={rest.label} onClick={follow}>{children}</a>
}

/** The details of a run; its job belongs to its name, for several jobs may use one id. */
export const runDetails = (runId: string, { namespace, name }: Ref): Partial<State> => ({ panel: { kind: 'run', parts: [runId, namespace, name] } })

/** A run's id by its end: ids of one minute may begin alike. */
export function RunLink({ id, job }: { id: string; job: Ref }) {
  return <To state={runDetails(id, job)} class="mono"><span class="run-id" title={id}>…{id.slice(-8)}</span></To>
}

export function DatasetLink({ of }: { of: Ref }) {
  return (
    <To state={around(of)} class="name">
      <Name of={of} />
    </To>
  )
}

/** A long name breaks behind its signs rather than anywhere. */
const breakable = (text: string) => text.split(/(?<=[._/])/).map((part, at) => (at === 0 ? part : [<wbr key={at} />, part]))

/** A name whose last part stands out; the namespace is in the tooltip. */
export function Name({ of }: { of: Ref }) {
  const { last, path } = splitName(of.name)
  return (
    <span class="split" title={`${of.namespace} ${of.name}`}>
      {path && <span class="path">{breakable(path + of.name.charAt(path.length))}</span>}
      <span class="last">{breakable(last)}{of.field !== undefined && <span class="field">.<wbr />{breakable(seen(of.field))}</span>}</span>
    </span>
  )
}
