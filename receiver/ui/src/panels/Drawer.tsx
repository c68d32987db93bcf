import { useEffect, useRef } from 'preact/hooks'
import { go, type Panel } from '../state'
import { ColumnPanel } from './ColumnPanel'
import { DatasetPanel } from './DatasetPanel'
import { EdgePanel } from './EdgePanel'
import { EventPanel } from './EventPanel'
import { JobPanel } from './JobPanel'
import { RunPanel } from './RunPanel'

const TITLES: Record<Panel['kind'], string> = {
  dataset: 'Table', column: 'Column', edge: 'Why this edge', job: 'Job', run: 'Run', event: 'Event',
}

/** The details beside the page. It is focused when it opens, for who reads with the keyboard or a screen reader. */
export function Drawer({ panel, at, pages }: { panel: Panel; at: string | null; pages: string[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <aside class="drawer" aria-labelledby="drawer-title">
      <div class="drawer-top">
        <h2 id="drawer-title" ref={heading} tabIndex={-1}>{TITLES[panel.kind]}</h2>
        <button type="button" class="plain" aria-label="Close the details" onClick={() => go({ panel: null })}>
          <span aria-hidden="true">✕</span>
        </button>
      </div>
      <Content panel={panel} at={at} pages={pages} />
    </aside>
  )
}

function Content({ panel, at, pages }: { panel: Panel; at: string | null; pages: string[] }) {
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = panel.parts
  switch (panel.kind) {
    case 'dataset':
      return <DatasetPanel dataset={{ namespace: first, name: second }} at={at} />
    case 'column':
      return <ColumnPanel column={{ namespace: first, name: second, field: third }} at={at} />
    case 'edge':
      return (
        <EdgePanel source={{ namespace: first, name: second, field: third }}
          target={sixth ? { namespace: fourth, name: fifth, field: sixth } : { namespace: fourth, name: fifth }} at={at} />
      )
    case 'job':
      return <JobPanel job={{ namespace: first, name: second }} at={at} pages={pages} />
    case 'run':
      return <RunPanel id={first} job={panel.parts.length > 2 ? { namespace: second, name: third } : null} />
    case 'event':
      return <EventPanel id={first} />
  }
}
