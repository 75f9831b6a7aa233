import { createParser } from 'eventsource-parser'
import type { components } from '../../client/contract/api.ts'
import { waitFor } from './waitFor.ts'

export type CheckoutBody = components['schemas']['Checkout']

/** A checkout page's stream, as a browser has it. */
export interface CheckoutStream {
  /** Every state that came, in order, with its id. */
  states: { id: string; body: CheckoutBody }[]
  status: number
  /** Waits for a state like this. */
  until(what: string, like: (body: CheckoutBody) => boolean, withinMs?: number): Promise<CheckoutBody>
  close(): void
}

/** @param url of the operation @param lastId as a browser that connects again sends it */
export async function openCheckoutStream(url: string, lastId?: string): Promise<CheckoutStream> {
  const gone = new AbortController()
  const response = await fetch(url, {
    headers: { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) },
    signal: gone.signal,
  })
  const states: CheckoutStream['states'] = []
  const parser = createParser({
    onEvent: ({ id, data }) => states.push({ id: id ?? '', body: JSON.parse(data) as CheckoutBody }),
  })
  const decoder = new TextDecoder()
  void (async () => {
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }))
  })().catch(() => {})
  return {
    states,
    status: response.status,
    until: (what, like, withinMs) =>
      waitFor(what, async () => states.map(({ body }) => body).find(like), withinMs),
    close: () => gone.abort(),
  }
}
