import { createServer } from 'node:http'
import { listen } from '../src/platform/http/http.ts'

// Webhook receivers, each on its own port: they answer 204 and count requests and distinct events. Hanging
// ones accept requests and never answer.

process.on('disconnect', () => process.exit())

export interface Expect {
  events: number
}

let expected = Number.POSITIVE_INFINITY
let requests = 0
const seen = new Set<string>()

const server = () =>
  createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end()
      requests++
      seen.add(String(request.headers['webhook-id']))
      if (seen.size !== expected) return
      expected = Number.POSITIVE_INFINITY
      process.send?.({ requests })
    })
  })

process.on('message', ({ events }: Expect) => {
  expected = events
  requests = 0
  seen.clear()
})

const ports: number[] = []
const hanging: number[] = []
for (let i = 0; i < Number(process.env.RECEIVERS); i++) ports.push(await listen(server(), 0, '127.0.0.1'))
for (let i = 0; i < Number(process.env.HANGING); i++)
  hanging.push(
    await listen(
      createServer((request) => request.resume()),
      0,
      '127.0.0.1',
    ),
  )
process.send?.({ ports, hanging })
