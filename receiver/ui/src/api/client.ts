/** Questions to the receiver: JSON by GET, and errors as sentences. */

export type Query = Record<string, string | number | boolean | null | undefined | string[]>

/** What went wrong, in a sentence. `status` 0: no answer came at all. */
export class Failure extends Error {
  constructor(readonly status: number, message: string) {
    super(message)
  }
}

export function pathOf(path: string, query: Query = {}): string {
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) value.forEach((one) => words.append(name, one))
    else if (value !== null && value !== undefined) words.set(name, String(value))
  }
  const text = words.toString()
  return new URL(text ? `${path}?${text}` : path, document.baseURI).href
}

async function fetchFrom(path: string, query: Query | undefined, signal: AbortSignal): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(pathOf(path, query), { signal, headers: { Accept: 'application/json' } })
  } catch (error) {
    if (signal.aborted) throw error
    throw new Failure(0, 'The receiver does not answer. Is it running, and is the network there?')
  }
  if (!answer.ok) throw new Failure(answer.status, await readComplaint(answer))
  return answer
}

async function readComplaint(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => null)
  if (body && typeof body === 'object') {
    if ('detail' in body && typeof body.detail === 'string') return body.detail
    if ('message' in body && typeof body.message === 'string') return body.message
  }
  return `The receiver answered ${answer.status} ${answer.statusText}`.trim() + '.'
}

export async function ask<T>(path: string, query?: Query, signal: AbortSignal = new AbortController().signal): Promise<T> {
  const answer = await fetchFrom(path, query, signal)
  return (await answer.json()) as T
}

export async function askText(path: string, signal: AbortSignal): Promise<string> {
  return (await fetchFrom(path, undefined, signal)).text()
}
