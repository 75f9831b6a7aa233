import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../src/platform/http/http.ts'
import { clock } from './clock.ts'

// A webhook receiver that answers 204 and records when it got an event about which block.

process.on('disconnect', () => process.exit())

/** Requests a message once this many events of one type about these blocks have arrived. */
export interface Await {
  type: string
  from: number
  to: number
  events: number
}

export interface Arrivals {
  /** The `webhook-id`, the height of its event, and the arrival time. */
  came: [id: string, height: number, at: number][]
}

const came = new Map<string, { type: string; height: number; at: number }>()
let waiting: Await | null = null

function report(): void {
  if (!waiting) return
  const { type, from, to, events } = waiting
  const matching = [...came].filter(
    ([, each]) => each.type === type && each.height >= from && each.height <= to,
  )
  if (matching.length < events) return
  waiting = null
  process.send?.({ came: matching.map(([id, { height, at }]) => [id, height, at]) } satisfies Arrivals)
}

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const at = clock()
    response.writeHead(204).end()
    const id = String(request.headers['webhook-id'])
    const { type, data } = JSON.parse(body) as { type: string; data: { blockHeight: number } }
    if (!came.has(id)) came.set(id, { type, height: data.blockHeight, at })
  })
})

process.on('message', (order: Await) => {
  waiting = order
})
// Not at each event: scanning all of them would delay the next one.
setInterval(report, 500)
process.send?.({ port: await listen(server, 0, '127.0.0.1') })
