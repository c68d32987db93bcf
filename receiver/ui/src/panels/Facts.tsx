import type { ComponentChildren } from 'preact'
import type { CodeFile } from '../api/types'

/** A list of facts; those without a value are left out. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (children === null || children === undefined || children === false || children === '') return null
  return <div><dt>{name}</dt><dd>{children}</dd></div>
}

export function Owners({ of }: { of: { name: string; type: string | null }[] }) {
  return <>{of.map((owner) => (owner.type ? `${owner.name} (${owner.type})` : owner.name)).join(', ')}</>
}

/** Where the code lies: a link where the address is one of the web, else its text. */
export function File({ of }: { of: CodeFile }) {
  const text = of.path ?? of.url ?? of.repoUrl ?? ''
  const version = of.version ? ` @ ${of.version.slice(0, 12)}` : ''
  return of.url && /^https?:\/\//.test(of.url)
    ? <a href={of.url} rel="noreferrer" target="_blank">{text}{version}</a>
    : <code>{text}{version}</code>
}

/** SQL with the names of columns marked. */
export function Sql({ text, names = [] }: { text: string; names?: string[] }) {
  const words = names.filter((name) => name !== '').map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  if (words.length === 0) return <pre class="sql" tabIndex={0}>{text}</pre>
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}_])(${words.join('|')})(?![\\p{L}\\p{N}_])`, 'giu'))
  return <pre class="sql" tabIndex={0}>{parts.map((part, at) => (at % 2 ? <mark key={at}>{part}</mark> : part))}</pre>
}
