import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import express from 'express'
import { middleware as openApiValidator } from 'express-openapi-validator'
import { Redis } from 'ioredis'
import pg from 'pg'
import { loadContract } from '../api/contract.ts'
import { hashOfKey } from '../src/apiKeys/form.ts'
import { listen } from '../src/platform/http/http.ts'

// Minimal servers that answer bodies of the API's size, each adding one more part of the API's work. No
// limits, roles or metrics.

process.on('disconnect', () => process.exit())

/**
 * `socket` answers without parsing HTTP: its cost is the client's. Each of the others includes the parts
 * before it.
 */
export type Part = 'socket' | 'express' | 'contract' | 'database' | 'redis'

const order: readonly Part[] = ['socket', 'express', 'contract', 'database', 'redis']
const upTo = order.indexOf(process.env.PART as Part)
const has = (part: Part) => order.indexOf(part) <= upTo

/** Bodies by path. */
const bodies = JSON.parse(process.env.BODIES ?? '{}') as Record<string, object>

function socketServer() {
  const body = JSON.stringify(Object.values(bodies)[0])
  const answer = Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  return createServer((socket) => {
    socket.setNoDelay(true)
    // A request is small and arrives in one chunk.
    socket.on('data', () => socket.write(answer))
    socket.on('error', () => socket.destroy())
  })
}

function expressServer() {
  const app = express()
  app.disable('x-powered-by').set('etag', false).set('query parser', 'simple')
  if (has('contract')) app.use(validator())
  for (const [path, body] of Object.entries(bodies))
    app.get(path, (_request, response) => void response.json(body))
  return createHttpServer(app)
}

/** With the same settings as the API. */
function validator() {
  const pool = has('database')
    ? new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.DATABASE_POOL) })
    : null
  const redis = has('redis') ? new Redis(process.env.REDIS_URL ?? '', { enableAutoPipelining: true }) : null
  return openApiValidator({
    apiSpec: loadContract() as never,
    validateRequests: { allowUnknownQueryParameters: false },
    validateResponses: {
      onError: (error) => {
        throw error
      },
    },
    validateSecurity: {
      handlers: {
        apiKey: async ({ headers }) => {
          const found = await pool?.query('select id, business_id, scope from api_keys where hash = $1', [
            hashOfKey(String(headers['x-api-key'])),
          ])
          if (found?.rows.length === 0) return false
          await redis?.incr(`bench:${found?.rows[0].id}`)
          return true
        },
        bearer: () => false,
      },
    },
    validateFormats: true,
    fileUploader: false,
  })
}

process.on('message', () => void process.send?.({ cpu: process.cpuUsage() }))
process.send?.({
  port: await listen(
    upTo === 0 ? (socketServer() as ReturnType<typeof createHttpServer>) : expressServer(),
    0,
    '127.0.0.1',
  ),
})
