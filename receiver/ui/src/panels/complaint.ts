/** What an event says of a fault: the message of its run's `errorMessage` facet. Pure. */

/** The message in an event as it was sent; null where there is none, or what was sent is no event. */
export function messageIn(event: string): string | null {
  try {
    const sent = JSON.parse(event) as { run?: { facets?: { errorMessage?: { message?: unknown } } } }
    const message = sent.run?.facets?.errorMessage?.message
    return typeof message === 'string' && message !== '' ? message : null
  } catch {
    return null
  }
}
