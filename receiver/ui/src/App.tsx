import { useEffect } from 'preact/hooks'
import { Search } from './views/Search'
import { Diff } from './views/Diff'
import { Home } from './views/Home'
import { GraphView } from './views/GraphView'
import { Rejected } from './views/Rejected'
import { Runs } from './views/Runs'
import { Unresolved } from './views/Unresolved'
import { Drawer } from './panels/Drawer'
import { Boundary } from './parts/Boundary'
import { To } from './parts/Link'
import { useTheme } from './parts/theme'
import { splitName } from './ref'
import { currentState, go, START, useAddress, type State, type View } from './state'

const TITLES: Record<View, string> = {
  home: 'Overview', graph: 'Lineage', runs: 'Runs', diff: 'Two runs', rejected: 'Rejected events', unresolved: 'Unresolved columns',
}

export function App() {
  const state = useAddress()
  useEffect(() => {
    const name = state.view === 'graph' && state.target ? splitName(state.target.name).last : TITLES[state.view]
    document.title = `${name} · Lineal`
  }, [state.view, state.target])

  return (
    <>
      <a class="skip" href="#main">To the content</a>
      <Header view={state.view} />
      <div class={state.panel ? 'middle with-drawer' : 'middle'}>
        <main id="main" tabIndex={-1}>
          <Boundary what={TITLES[state.view]} key={state.view}>
            <Content state={state} />
          </Boundary>
        </main>
        {state.panel && (
          <Boundary what="The details" key={`${state.panel.kind} ${state.panel.parts.join('|')}`}>
            <Drawer panel={state.panel} at={state.at} pages={state.panelPages} />
          </Boundary>
        )}
      </div>
      {state.search !== null && (
        <Boundary what="The search">
          <Search text={state.search} />
        </Boundary>
      )}
    </>
  )
}

function Content({ state }: { state: State }) {
  if (state.view === 'graph' && state.target) return <GraphView state={state} target={state.target} />
  if (state.view === 'runs') return <Runs which={state.which} pages={state.pages} />
  if (state.view === 'diff') return <Diff from={state.fromRun} to={state.toRun} pages={state.pages} />
  if (state.view === 'rejected') return <Rejected pages={state.pages} />
  if (state.view === 'unresolved') return <Unresolved reason={state.which} pages={state.pages} />
  return <Home />
}

function Header({ view }: { view: View }) {
  const [theme, nextTheme] = useTheme()
  const link = (to: View) => (
    <To state={{ ...START, view: to }} class={view === to ? 'here' : ''}>{TITLES[to]}</To>
  )
  return (
    <header class="top">
      <To state={START} class="brand">
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <rect width="32" height="32" rx="8" class="brand-ground" />
          <path d="M9 9c8 0 6 14 14 14M9 23c4 0 5-3.500 7-7" class="brand-line" />
          <g class="brand-dot"><circle cx="9" cy="9" r="3" /><circle cx="9" cy="23" r="3" /><circle cx="23" cy="23" r="3" /></g>
        </svg>
        Lineal
      </To>
      <button type="button" class="find" onClick={() => go({ search: '' })}>
        <span>Find a table or a column</span><kbd aria-hidden="true">/</kbd>
      </button>
      <nav aria-label="Pages">{link('home')}{link('runs')}{link('unresolved')}{link('rejected')}<a href="docs">API</a></nav>
      <button type="button" class="plain" onClick={nextTheme} aria-label={`Colours: ${theme}. Change`} title={`Colours: ${theme}`}>
        <span aria-hidden="true">{theme === 'dark' ? '☾' : theme === 'light' ? '☀' : '◐'}</span>
      </button>
    </header>
  )
}

/** Keys that work everywhere: the search, and Esc, which takes back one thing at a time. */
export function onKey(event: KeyboardEvent): void {
  const state = currentState()
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select') !== null
  if ((event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault()
    if (state.search === null) go({ search: '' })
  } else if (event.key === 'Escape' && state.search === null && !event.defaultPrevented) {
    if (state.panel) go({ panel: null })
    else if (state.lock) go({ lock: null, only: false })
  }
}
