import { once } from 'node:events'
import { WebSocket } from 'ws'
import { waitFor } from './waitFor.ts'

export interface StreamMessage<Quote> {
  quote?: Quote
  error?: { error: string; message?: string; requestId: string; fields?: { field: string }[] }
}

export interface OpenOptions {
  apiKey?: string
  /** Sent at once. */
  first?: (string | Buffer)[]
  autoPong?: boolean
}

/** Opens a stream of quotes with a client that keeps all messages, and the code it was closed with. */
export function openQuotes<Quote>(url: string, { apiKey, first = [], ...options }: OpenOptions = {}) {
  const socket = new WebSocket(url, {
    headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
    ...options,
  })
  const messages: StreamMessage<Quote>[] = []
  let closed: { code: number; reason: string } | null = null
  socket.on('error', () => {})
  socket.on('open', () => {
    for (const each of first) socket.send(each)
  })
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as StreamMessage<Quote>))
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) }
  })
  return {
    socket,
    messages,
    quotes: () => messages.flatMap(({ quote }) => quote ?? []),
    isClosed: () => closed !== null,
    ended: (withinMs?: number) => waitFor('the end of a stream', async () => closed, withinMs ?? 15_000),
    has: (count: number, withinMs?: number) =>
      waitFor(`${count} messages`, async () => messages.length >= count, withinMs ?? 15_000),
    async close() {
      if (closed) return
      socket.close()
      await once(socket, 'close')
    },
  }
}

export const closeAll = (all: readonly { close(): Promise<void> }[]) =>
  Promise.all(all.map((each) => each.close()))
