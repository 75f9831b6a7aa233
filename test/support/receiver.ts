import { createServer, type IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from '../../src/platform/http/http.ts'
import { createBodyCheck } from './eventBodies.ts'

export interface ReceivedEvent {
  id: string
  type: string
  sequence: number
  data: Record<string, unknown> & { id: string; sessionId?: string }
  at: number
}

/**
 * A customer's server. Every request is verified with the public `standardwebhooks` package, or counted as
 * forged; every body is checked against the catalogue of events.
 */
export interface Receiver {
  url: string
  /** Deliveries in the order of their arrival, repeated ones included. */
  received: ReceivedEvent[]
  /** The `traceparent` of the last delivery of an event, by its id. */
  traceparents: Map<string, string>
  forged: { headers: IncomingHttpHeaders; body: string; error: string }[]
  /** Bodies that differ from the catalogue's promise for their type. */
  mismatches: { event: ReceivedEvent; wrong: string[] }[]
  /** Decides the answer to a delivery; the default is 204. */
  answer: (event: ReceivedEvent) => { status: number; headers?: Record<string, string>; afterMs?: number }
  /** Events about one session, each once. */
  about(sessionId: string): ReceivedEvent[]
  /** Of the events about one session after `session.created`, which each has first. */
  types(sessionId: string): string[]
  /** @throws if a body differed from the catalogue, once all is closed */
  close(): Promise<void>
}

export async function startReceiver(secret: string): Promise<Receiver> {
  const verifier = new Webhook(secret)
  const checkBody = createBodyCheck()
  const receiver: Receiver = {
    url: '',
    received: [],
    traceparents: new Map(),
    forged: [],
    mismatches: [],
    answer: () => ({ status: 204 }),
    about: (sessionId) => {
      const seen = new Set<string>()
      return receiver.received
        .filter(
          (event) =>
            (event.data.sessionId ?? event.data.id) === sessionId &&
            !seen.has(event.id) &&
            seen.add(event.id),
        )
        .sort((a, b) => a.sequence - b.sequence)
    },
    types: (sessionId) =>
      receiver.about(sessionId).flatMap(({ type }) => (type === 'session.created' ? [] : [type])),
    close: async () => {},
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      let event: ReceivedEvent
      try {
        const verified = verifier.verify(body, request.headers as Record<string, string>) as Omit<
          ReceivedEvent,
          'id' | 'at'
        >
        event = { ...verified, id: String(request.headers['webhook-id']), at: Date.now() }
      } catch (error) {
        receiver.forged.push({ headers: request.headers, body, error: String(error) })
        response.writeHead(400).end()
        return
      }
      receiver.received.push(event)
      const { traceparent } = request.headers
      if (typeof traceparent === 'string') receiver.traceparents.set(event.id, traceparent)
      const wrong = checkBody(JSON.parse(body))
      if (wrong.length > 0) receiver.mismatches.push({ event, wrong })
      const { status, headers, afterMs = 0 } = receiver.answer(event)
      setTimeout(() => response.writeHead(status, headers).end(), afterMs)
    })
  })
  const port = await listen(server, 0, '127.0.0.1')
  receiver.url = `http://127.0.0.1:${port}/hooks`
  receiver.close = async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    if (receiver.mismatches.length > 0)
      throw new Error(
        `Webhook bodies that differ from the catalogue of events:\n${describeMismatches(receiver.mismatches)}`,
      )
  }
  return receiver
}

/** The first of each type, with its mistakes. */
function describeMismatches(mismatches: Receiver['mismatches']): string {
  const first = mismatches.filter(
    ({ event }, index) => index === mismatches.findIndex((each) => each.event.type === event.type),
  )
  return first
    .map(
      ({ event, wrong }) =>
        `${event.type} ${event.sequence}:\n  ${wrong.join('\n  ')}\n  ${JSON.stringify(event.data)}`,
    )
    .join('\n')
}
