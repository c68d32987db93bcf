import { useState } from 'preact/hooks'
import { useAsked, useText } from '../api/use'
import { pathOf } from '../api/client'
import { Answer } from '../parts/Answer'
import { bytes, number } from '../parts/format'
import { When } from '../parts/State'
import { go } from '../state'
import { Pages } from './Runs'

interface Refused {
  id: string
  status: number
  rule: string
  pointer: string | null
  expected: string | null
  message: string
  source: string | null
  size: number
  truncated: boolean
  count: number
  lastAt: string
  replayedAt: string | null
}

/** What was refused, and why: the rule that was broken, where, and what was sent. */
export function Rejected({ pages }: { pages: string[] }) {
  const asked = useAsked<{ rejected: Refused[]; totalCount: number; next: string | null }>('api/v2/rejected', {
    limit: 50, cursor: pages.at(-1),
  })
  return (
    <div class="sheet wide">
      <h1>Rejected events</h1>
      <p class="quiet">What is refused is kept, with the rule that it broke. <code>lineal rejected replay</code> tries it again.</p>
      <Answer asked={asked} what="rejected events">
        {({ rejected, totalCount, next }) =>
          rejected.length === 0 ? (
            <p class="good"><span aria-hidden="true">✓</span> No event was refused.</p>
          ) : (
            <>
              <p class="quiet">{number(totalCount)} in all.</p>
              <ul class="trouble">{rejected.map((one) => <One key={one.id} of={one} />)}</ul>
              <Pages of={pages} next={next} busy={asked.busy} show={(pages) => go({ pages })} />
            </>
          )
        }
      </Answer>
    </div>
  )
}

function One({ of }: { of: Refused }) {
  const [open, setOpen] = useState(false)
  const body = useText(open ? pathOf(`api/v2/rejected/${of.id}/body`) : null)
  return (
    <li>
      <div class="line">
        <span class="state state-failed">{of.status}</span>
        <strong>{of.rule}</strong>
        {of.pointer && <code>{of.pointer}</code>}
        <span class="when"><When at={of.lastAt} /></span>
      </div>
      <p>{of.message.replace(/[.]?$/, '.')}{of.expected ? ` Expected: ${of.expected}.` : ''}</p>
      <p class="quiet">
        {bytes(of.size)}{of.source ? ` from ${of.source}` : ''}{of.count > 1 ? `, sent ${number(of.count)} times` : ''}
        {of.replayedAt && <>; accepted since, <When at={of.replayedAt} /></>}
      </p>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>What was sent{of.truncated ? ' (its beginning)' : ''}</summary>
        {open && <Answer asked={body} what="the body">{(text) => <pre class="raw" tabIndex={0}>{pretty(text)}</pre>}</Answer>}
      </details>
    </li>
  )
}

/** JSON with line breaks; what isn't JSON as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
