import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../src/platform/http/http.ts'
import { clock } from './clock.ts'

// A webhook receiver that answers 204, and reports which sessions were paid since the last request.

process.on('disconnect', () => process.exit())

export interface PaidSince {
  /** Sessions with the time of their first `session.paid`. */
  paid: [sessionId: string, at: number][]
  /** Requests since its start. */
  requests: number
  cpu: NodeJS.CpuUsage
}

const known = new Set<string>()
let paid: PaidSince['paid'] = []
let requests = 0

// Longer than any pause: a connection that closes while it is reused would cost an attempt.
const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  void text(request).then((body) => {
    const at = clock()
    response.writeHead(204).end()
    requests++
    // Most are of other types: parsing them would take CPU from what is measured.
    if (!body.includes('"session.paid"')) return
    const { type, data } = JSON.parse(body) as { type: string; data: { id: string } }
    if (type !== 'session.paid' || known.has(data.id)) return
    known.add(data.id)
    paid.push([data.id, at])
  })
})

/** `peek`: the sessions are kept for the next question. */
process.on('message', ({ peek = false }: { peek?: boolean }) => {
  process.send?.({ paid: peek ? [] : paid, requests, cpu: process.cpuUsage() } satisfies PaidSince)
  if (!peek) paid = []
})
process.send?.({ port: await listen(server, 0, '127.0.0.1') })
