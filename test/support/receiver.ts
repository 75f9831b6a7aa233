import { createServer, type IncomingHttpHeaders } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from '../../src/platform/http.ts'

export interface ReceivedEvent {
  id: string
  type: string
  sequence: number
  data: Record<string, unknown> & { id: string; sessionId?: string }
  at: number
}

/** A merchant's server. Every request is verified with the public `standardwebhooks` package, or counted as forged. */
export interface Receiver {
  url: string
  /** Deliveries in the order of their arrival, repeated ones included. */
  received: ReceivedEvent[]
  forged: { headers: IncomingHttpHeaders; body: string; error: string }[]
  /** Decides the answer to a delivery; the default is 204. */
  answer: (event: ReceivedEvent) => { status: number; headers?: Record<string, string>; afterMs?: number }
  /** Events about one session, each once. */
  about(sessionId: string): ReceivedEvent[]
  types(sessionId: string): string[]
  close(): Promise<void>
}

export async function startReceiver(secret: string): Promise<Receiver> {
  const verifier = new Webhook(secret)
  const receiver: Receiver = {
    url: '',
    received: [],
    forged: [],
    answer: () => ({ status: 204 }),
    about: (sessionId) => {
      const seen = new Set<string>()
      return receiver.received
        .filter((event) => (event.data.sessionId ?? event.data.id) === sessionId && !seen.has(event.id) && seen.add(event.id))
        .sort((a, b) => a.sequence - b.sequence)
    },
    types: (sessionId) => receiver.about(sessionId).map((event) => event.type),
    close: async () => {},
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      let event: ReceivedEvent
      try {
        const verified = verifier.verify(body, request.headers as Record<string, string>) as Omit<ReceivedEvent, 'id' | 'at'>
        event = { ...verified, id: String(request.headers['webhook-id']), at: Date.now() }
      } catch (error) {
        receiver.forged.push({ headers: request.headers, body, error: String(error) })
        response.writeHead(400).end()
        return
      }
      receiver.received.push(event)
      const { status, headers, afterMs = 0 } = receiver.answer(event)
      setTimeout(() => response.writeHead(status, headers).end(), afterMs)
    })
  })
  const port = await listen(server, 0, '127.0.0.1')
  receiver.url = `http://127.0.0.1:${port}/hooks`
  receiver.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return receiver
}
