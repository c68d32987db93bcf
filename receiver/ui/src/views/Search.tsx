import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Hit } from '../api/types'
import { useAsked } from '../api/use'
import { Failed } from '../parts/Answer'
import { Name } from '../parts/Link'
import { around, go } from '../state'
import type { Ref } from '../ref'

const WORDS: Record<Hit['kind'], string> = { dataset: 'table', column: 'column', job: 'job' }
const PAUSE_MS = 120

/** One box over tables, columns and jobs. */
export function Search({ text }: { text: string }) {
  const [typed, setTyped] = useState(text)
  const [marked, setMarked] = useState(0)
  /** Enter came before what was found did: the first is opened as soon as it is there. */
  const [hasty, setHasty] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const asked = useAsked<{ results: Hit[]; next: string | null }>(text.trim() ? 'api/v2/search' : null, { q: text.trim(), limit: 30 })
  const hits = text.trim() ? asked.answer?.results ?? [] : []
  const current = Math.min(marked, Math.max(hits.length - 1, 0))

  // Before the next key is pressed: an effect after painting would leave what is typed at once to what had the focus.
  useLayoutEffect(() => {
    const before = document.activeElement, shown = dialog.current
    shown?.showModal()
    return () => {
      shown?.close()  // as long as it is open nothing else takes the focus
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  useEffect(() => {
    if (typed === text) return
    const soon = setTimeout(() => go({ search: typed }, { replace: true }), PAUSE_MS)
    return () => clearTimeout(soon)
  }, [typed])
  useEffect(() => setMarked(0), [text])
  const ready = typed === text && !asked.busy
  useEffect(() => {
    const [first] = hits
    if (hasty && ready) first ? open(first) : setHasty(false)
  }, [hasty, ready])
  useEffect(() => document.getElementById(`hit-${current}`)?.scrollIntoView({ block: 'nearest' }), [current])

  const close = () => go({ search: null }, { replace: true })
  // The browser says only later that a dialog is closed: until then Ctrl K would find the search open, and by then it may
  // have opened another.
  const closed = (event: Event) => event.currentTarget instanceof Element && event.currentTarget.isConnected && close()
  const leave = (event: Event) => {
    event.preventDefault()
    close()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const hit = hits[current]
    if (step && hits.length) {
      event.preventDefault()
      setMarked((current + step + hits.length) % hits.length)
    } else if (event.key === 'Enter') {
      if (!ready) setHasty(typed.trim() !== '')
      else if (hit) open(hit)
    }
  }

  return (
    <dialog ref={dialog} class="search" aria-label="Find a table or a column" onClose={closed} onCancel={leave}
      onClick={(event) => event.target === dialog.current && close()}>
      <input
        type="search" role="combobox" aria-expanded={hits.length > 0} aria-controls="hits" aria-autocomplete="list" list={undefined}
        aria-activedescendant={hits.length ? `hit-${current}` : undefined} aria-label="Table, column or job" spellcheck={false}
        placeholder="A part of a table's or a column's name" value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)} onKeyDown={onKey} />
      {asked.failure && <Failed asked={asked} what="what was found" />}
      <ul id="hits" role="listbox" aria-label="Found" hidden={hits.length === 0}>
        {hits.map((hit, at) => (
          <li key={`${hit.kind} ${hit.id} ${hit.field}`} id={`hit-${at}`} role="option" aria-selected={at === current}
            onMouseMove={() => setMarked(at)} onClick={() => open(hit)}>
            <span class="what">{WORDS[hit.kind]}</span>
            <Name of={refOf(hit)} />
            {hit.type && <span class="type">{hit.type}</span>}
          </li>
        ))}
      </ul>
      <p class="quiet" role="status">
        {!text.trim() ? 'Tables, columns and jobs, by a part of their name. a.b finds column b of table a.'
          : asked.busy ? 'Searching …'
          : hits.length === 0 && !asked.failure ? `Nothing is called like “${text.trim()}”.`
          : asked.answer?.next ? `The first ${hits.length}; go on typing to narrow them down.` : `${hits.length} found.`}
      </p>
    </dialog>
  )
}

const refOf = ({ namespace, name, field }: Hit): Ref => (field === null ? { namespace, name } : { namespace, name, field })

function open(hit: Hit): void {
  go(around(refOf(hit), hit.kind === 'job' ? 'job' : 'dataset'))
}
