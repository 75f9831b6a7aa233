import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { accountMethods } from './accountMethods.ts'
import { blockMethods } from './blockMethods.ts'
import { clusterMethods } from './clusterMethods.ts'
import { control, type Devnet } from './control.ts'
import { rpcErrors } from './errors.ts'
import { viewOf } from './faces.ts'
import type { Method } from './params.ts'
import { answerOne, faceOf } from './rpc.ts'
import { sendMethods } from './sendMethods.ts'
import { stakeMethods } from './stakeMethods.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Longer than a suite: closing a connection fails a request in flight on it. */
const keepAliveTimeout = 600_000

const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({ ...accountMethods, ...blockMethods, ...clusterMethods, ...sendMethods, ...stakeMethods }),
)

/** Maximum body size of the node's own server (`MAX_REQUEST_BODY_SIZE`). */
const maxBody = 50 * 1024
const throttleWindowMs = 1000

/**
 * The API at `/`, misbehaving faces at `/faces/<name>`, the tests' actions at `/control`, and WebSockets on
 * the same paths.
 */
export function serve(devnet: Devnet, subscriptions: Subscriptions): Server {
  const recent = new Map<string, number[]>()

  const throttled = (face: string, limit: number): boolean => {
    const times = (recent.get(face) ?? []).filter((time) => time > Date.now() - throttleWindowMs)
    recent.set(face, times)
    if (times.length >= limit) return true
    times.push(Date.now())
    return false
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    if (request.url === '/control') return handleControl(body, response)
    const face = faceOf(request.url)
    const flags = devnet.faces.get(face) ?? {}
    if (flags.slowMs) await delay(flags.slowMs)
    if (flags.down) return send(response, 503, 'Service Unavailable')
    if (flags.throttle !== undefined && throttled(face, flags.throttle)) {
      response.setHeader('retry-after', '1')
      const error = { code: 429, message: 'Too many requests for a specific RPC call' }
      return send(response, 429, JSON.stringify({ jsonrpc: '2.0', error, id: null }))
    }
    if (request.method !== 'POST')
      return send(response, 405, 'Used HTTP Method is not allowed. POST or OPTIONS is required')
    if (body.length > maxBody) return send(response, 413, 'Payload too large')
    const text = answerOne(body, ({ method, params = [] }) => {
      const run = methods.get(method)
      if (!run) throw rpcErrors.methodNotFound()
      return run(viewOf(devnet.ledger, flags), params)
    })
    send(response, 200, text ?? '')
    subscriptions.publish()
  }

  const handleControl = (body: string, response: ServerResponse): void => {
    try {
      const { action, ...params } = JSON.parse(body) as Record<string, unknown>
      send(response, 200, JSON.stringify(control(devnet, action, params)))
      subscriptions.publish()
    } catch (error) {
      send(response, 400, JSON.stringify({ error: (error as Error).message }))
    }
  }

  const server = createServer({ keepAliveTimeout }, (request, response) => {
    answer(request, response).catch((error) => send(response, 500, String(error)))
  })
  server.on('upgrade', subscriptions.upgrade)
  return server
}

function send(response: ServerResponse, status: number, text: string): void {
  if (!response.hasHeader('content-type'))
    response.setHeader(
      'content-type',
      text.startsWith('{') || text.startsWith('[') ? 'application/json' : 'text/plain',
    )
  response.statusCode = status
  response.end(text)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
