import { useState } from 'preact/hooks'
import type { EventEntry } from '../api/types'
import { useAsked, useText } from '../api/use'
import { Answer } from '../parts/Answer'
import { bytes } from '../parts/format'
import { Name, runDetails, To } from '../parts/Link'
import { Exactly } from '../parts/State'
import { pretty } from '../views/Rejected'
import { Fact, Facts } from './Facts'

export function EventPanel({ id }: { id: string }) {
  const asked = useAsked<EventEntry>(`api/v2/events/${encodeURIComponent(id)}`)
  return (
    <Answer asked={asked} what="the event">
      {(event) => (
        <>
          <Facts>
            <Fact name="Type">{event.eventType ?? event.kind}</Fact>
            <Fact name="Time"><Exactly at={event.eventTime} /></Fact>
            <Fact name="Received"><Exactly at={event.receivedAt} /></Fact>
            <Fact name="Size">{bytes(event.size)}</Fact>
            <Fact name="Job">{event.job && <To state={{ panel: { kind: 'job', parts: [event.job.namespace, event.job.name] } }} class="name"><Name of={event.job} /></To>}</Fact>
            <Fact name="Run">{event.runId && <To state={event.job ? runDetails(event.runId, event.job) : { panel: { kind: 'run', parts: [event.runId] } }} class="mono">{event.runId}</To>}</Fact>
          </Facts>
          {event.body ? <RawBody path={event.body} open /> : <p class="quiet">What was sent is no longer kept.</p>}
        </>
      )}
    </Answer>
  )
}

/** An event as it was sent, fetched when it is opened. */
export function RawBody({ path, open: atOnce = false }: { path: string; open?: boolean }) {
  const [open, setOpen] = useState(atOnce)
  const relative = path.replace(/^\//, '')
  const body = useText(open ? new URL(relative, document.baseURI).href : null)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The event as it was sent</summary>
      {open && (
        <Answer asked={body} what="the event">
          {(text) => <><pre class="raw" tabIndex={0}>{pretty(text)}</pre><p><a href={relative} download="event.json">Download it</a></p></>}
        </Answer>
      )}
    </details>
  )
}
