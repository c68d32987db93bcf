/** Names of datasets, columns and jobs as one text, for addresses and keys: parts joined by `|`, `|` and `\` escaped. */

export interface Ref {
  namespace: string
  name: string
  field?: string
}

export const joinParts = (parts: string[]): string => parts.map((part) => part.replace(/[\\|]/g, '\\$&')).join('|')

export function splitParts(text: string): string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '|') parts.push('')
    else if (text[at] === '\\' && at + 1 < text.length) parts[parts.length - 1] += text[++at]
    else parts[parts.length - 1] += text[at]
  }
  return parts
}

export const writeRef = ({ namespace, name, field }: Ref): string =>
  joinParts(field === undefined ? [namespace, name] : [namespace, name, field])

/** The reference that `text` writes; null if it has another number of parts. */
export function readRef(text: string | null): Ref | null {
  if (text === null) return null
  const [namespace, name, field, ...rest] = splitParts(text)
  if (namespace === undefined || name === undefined || rest.length > 0) return null
  return field === undefined ? { namespace, name } : { namespace, name, field }
}

/** A name in two: what it is called, and where it lies. A hash at its end, or a dbt exposure's target, is no name by itself. */
export function splitName(name: string): { last: string; path: string } {
  const exposure = /^(exposure\.[^.]+)\.([^.]+\.[^.]+)$/.exec(name)
  if (exposure?.[1] && exposure[2]) return { last: exposure[2], path: exposure[1] }
  const trimmed = name.replace(/\/+$/, '')
  const hash = /\.[0-9a-f]{8,}$/.exec(trimmed)?.[0] ?? ''
  const named = trimmed.slice(0, trimmed.length - hash.length)
  const slash = named.lastIndexOf('/')
  const cut = slash >= 0 ? slash : named.lastIndexOf('.')
  return cut <= 0 || cut === trimmed.length - 1
    ? { last: name, path: '' }
    : { last: trimmed.slice(cut + 1), path: trimmed.slice(0, cut) }
}
