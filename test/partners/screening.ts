import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A stand-in for an operator's screening service (docs/payouts.md, "Screening"). It checks each signature as
 * the Standard Webhooks specification describes it: HMAC-SHA256 over `id.timestamp.body`, at most five
 * minutes old.
 */
export interface ScreeningStandIn {
  url: string
  /** For SCREENING_SECRET. */
  secret: string
  /** Bodies of genuine questions. */
  asked: Record<string, unknown>[]
  /** Requests that were not genuine. */
  forged: number
  /** Answers the next questions. */
  answer: (response: ServerResponse, question: Record<string, unknown>) => void
  close(): Promise<void>
}

const maxAgeSeconds = 300

/** Answers with this decision. */
export const deciding =
  (decision: string, more: object = {}): ScreeningStandIn['answer'] =>
  (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ decision, ...more }))

export async function startScreeningStandIn(): Promise<ScreeningStandIn> {
  const key = Buffer.alloc(32, 9)
  const standIn: ScreeningStandIn = {
    url: '',
    secret: `whsec_${key.toString('base64')}`,
    asked: [],
    forged: 0,
    answer: deciding('allow'),
    close: async () => {},
  }
  const isGenuine = (id: unknown, timestamp: unknown, signatures: unknown, body: string): boolean => {
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
      return false
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > maxAgeSeconds) return false
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
    return signatures.split(' ').some((each) => {
      const [version, signature = ''] = each.split(',')
      const given = Buffer.from(signature, 'base64')
      return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature,
      } = request.headers
      if (request.method !== 'POST' || !isGenuine(id, timestamp, signature, body)) {
        standIn.forged++
        response.writeHead(401).end()
        return
      }
      const question = JSON.parse(body) as Record<string, unknown>
      standIn.asked.push(question)
      standIn.answer(response, question)
    })
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve()),
  )
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/screen`
  standIn.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return standIn
}
