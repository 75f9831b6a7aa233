import type { EventPage } from './listEvents.ts'

/** Clients wait so long before they connect again. */
const retryMs = 1000

/**
 * Pages as Server-Sent Events (WHATWG HTML, 9.2). The id of an event is its sequence number. An empty page is
 * a comment, with the id that the page leads to: events of other types before it need not be read again.
 */
export async function* streamed(
  pages: AsyncGenerator<EventPage, void, undefined>,
): AsyncGenerator<{ body: object; text: string }, void, undefined> {
  let head = `retry: ${retryMs}\n\n`
  for await (const page of pages) {
    const { events, nextAfter } = page
    const text =
      events.length > 0
        ? events.map((event) => `id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`).join('')
        : `: waiting\nid: ${nextAfter}\n\n`
    yield { body: page, text: `${head}${text}` }
    head = ''
  }
}
