import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messageOf } from '../errors.ts'
import { contentTypes, type Format, type Metrics } from '../telemetry/metrics.ts'
import { isTracing } from '../telemetry/tracing.ts'
import { type ConnectionLimits, limitConnections, serverOptions } from './connections.ts'

/** Checks one dependency of the process; throws what is missing. */
export interface ReadinessCheck {
  name: string
  check(): Promise<void>
}

/** For the readiness that callers see: a process that stops takes no more of them. */
export const notDraining = (draining: AbortSignal): ReadinessCheck => ({
  name: 'running',
  check: async () => {
    if (draining.aborted) throw new Error('stopping')
  },
})

export interface Readiness {
  status: 'ok' | 'unavailable'
  checks: Record<string, 'ok' | string>
  /** What fails, as `redis: no answer within 2 s`: docs/runbooks has each text. */
  failing: string[]
}

/** Runs every check, each for at most two seconds. */
export async function readiness(checks: readonly ReadinessCheck[]): Promise<Readiness> {
  const results = await Promise.all(
    checks.map(async ({ name, check }) => {
      try {
        await Promise.race([
          check(),
          new Promise((_, reject) => {
            setTimeout(() => reject(new Error('no answer within 2 s')), 2000).unref()
          }),
        ])
        return [name, 'ok'] as const
      } catch (error) {
        return [name, messageOf(error)] as const
      }
    }),
  )
  const failing = results.flatMap(([name, state]) => (state === 'ok' ? [] : [`${name}: ${state}`]))
  return { status: failing.length === 0 ? 'ok' : 'unavailable', checks: Object.fromEntries(results), failing }
}

/**
 * Readiness for endpoints without a rate limit: concurrent callers share one answer, which is kept for a
 * second.
 */
export function shareReadiness(
  checks: () => readonly ReadinessCheck[],
  holdsMs = 1000,
): () => Promise<Readiness> {
  let last: { answer: Promise<Readiness>; until: number } | null = null
  return () => {
    if (last && performance.now() < last.until) return last.answer
    const asked = { answer: readiness(checks()), until: Number.POSITIVE_INFINITY }
    last = asked
    void asked.answer.finally(() => {
      asked.until = performance.now() + holdsMs
    })
    return asked.answer
  }
}

export interface InternalServer {
  port: number
  close(): Promise<void>
}

/** For Prometheus, an orchestrator and an operator. No request has a body. */
const internalLimits: ConnectionLimits = {
  connections: 100,
  perNetwork: 50,
  exempt: [],
  headersMs: 5000,
  requestMs: 5000,
  keepAliveMs: 20_000,
}

/** Serves `/metrics`, `/health/live` and `/health/ready` of one process on an internal port. */
export async function serveInternal(options: {
  host: string
  port: number
  metrics: Pick<Metrics, 'exposition'>
  checks: () => readonly ReadinessCheck[]
}): Promise<InternalServer> {
  const server = createServer(serverOptions(internalLimits), (request, response) => {
    answer(request, response, options).catch((error) => {
      response.writeHead(500).end(messageOf(error))
    })
  })
  limitConnections(server, internalLimits)
  const port = await listen(server, options.port, options.host)
  return { port, close: () => closeServer(server) }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, checks }: { metrics: Pick<Metrics, 'exposition'>; checks: () => readonly ReadinessCheck[] },
): Promise<void> {
  const path = (request.url ?? '').split('?')[0]
  if (path === '/metrics') {
    const format = formatFor(request)
    response.writeHead(200, { 'content-type': contentTypes[format] }).end(await metrics.exposition(format))
  } else if (path === '/health/live') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
  } else if (path === '/health/ready') {
    const state = await readiness(checks())
    response
      .writeHead(state.status === 'ok' ? 200 : 503, { 'content-type': 'application/json' })
      .end(JSON.stringify(state))
  } else {
    response.writeHead(404).end()
  }
}

/** Exemplars are all that OpenMetrics adds: only where there are traces, for a scraper that takes it. */
const formatFor = ({ headers }: IncomingMessage): Format =>
  isTracing() && headers.accept?.includes('application/openmetrics-text') ? 'openmetrics' : 'text'

/** Listens and returns the port: a free one if `port` is 0. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Finishes running requests and closes idle connections, also those that become idle meanwhile. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const closing = setInterval(() => server.closeIdleConnections(), 100)
    server.close(() => {
      clearInterval(closing)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** From `draining` on each answer closes its connection, so that callers open their next one elsewhere. */
export function closeWithAnswers(server: Server, draining: AbortSignal): void {
  const open = new Set<ServerResponse>()
  const close = (response: ServerResponse) =>
    void (response.headersSent || response.setHeader('Connection', 'close'))
  const begin = (_request: IncomingMessage, response: ServerResponse) => {
    if (draining.aborted) return close(response)
    open.add(response)
    response.once('close', () => open.delete(response))
  }
  server.prependListener('request', begin)
  // With a listener of this event Node passes the request to it.
  if (server.listenerCount('checkContinue') > 0) server.prependListener('checkContinue', begin)
  draining.addEventListener('abort', () => open.forEach(close), { once: true })
}
