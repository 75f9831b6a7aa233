import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connectionPlaces, type Place, type PlaceLimits, type RefusedConnection } from './connectionPlaces.ts'

/** Limits for the connections of one HTTP server. */
export interface ConnectionLimits extends PlaceLimits {
  headersMs: number
  /** For the whole request with its body. */
  requestMs: number
  keepAliveMs: number
}

/**
 * An answer that its receiver does not read is abandoned after this time; no answer takes as long to produce.
 */
const silentMs = 120_000
const headerBytes = 16 * 1024

/** Request timeouts; Node checks them once a second. */
export const serverOptions = ({ headersMs, requestMs, keepAliveMs }: ConnectionLimits): ServerOptions => ({
  headersTimeout: Math.min(headersMs, requestMs),
  requestTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: headerBytes,
})

/**
 * Maximum refused connections that get an answer at once, and their time for it; more are closed without an
 * answer.
 */
const [maxAnswering, answerMs] = [100, 1000]

/**
 * Refuses connections over the limit with an answer to their first request, and closes idle connections when
 * a newcomer needs a place (`connectionPlaces`). Connections with a running request are left alone.
 * @returns the number of open connections
 */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  refused: (reason: RefusedConnection) => void = () => {},
): () => number {
  const places = connectionPlaces(limits)
  const placeOf = new WeakMap<Socket, Place>()
  const asked = new WeakSet<Socket>()
  let answering = 0

  function refuse(socket: Socket, reason: RefusedConnection): void {
    refused(reason)
    if (answering >= maxAnswering) {
      socket.destroy()
      return
    }
    answering++
    const timer = setTimeout(() => socket.destroy(), answerMs)
    socket.once('close', () => {
      answering--
      clearTimeout(timer)
    })
    // Further data is read and dropped: closing now could discard the answer.
    socket.once('data', () => socket.end(answerOf(refusals[reason])))
    socket.once('end', () => socket.end())
    socket.on('error', () => {})
  }

  function giveUp(socket: Socket): void {
    refused('connections')
    // A started request gets an answer; between requests HTTP has no way to name the reason.
    if (asked.has(socket) || socket.bytesRead === 0) socket.destroy()
    else {
      socket.write(answerOf(refusals.connections))
      socket.destroySoon()
    }
  }

  const begin = ({ socket }: IncomingMessage, response: ServerResponse) => {
    asked.add(socket)
    const place = placeOf.get(socket)
    place?.begin()
    response.once('close', () => place?.end())
  }
  server.prependListener('request', begin)
  // With a listener of this event Node passes the request to it.
  if (server.listenerCount('checkContinue') > 0) server.prependListener('checkContinue', begin)

  // A connection that leaves HTTP keeps its place until it is closed.
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => placeOf.get(socket)?.begin())

  // Only accepted connections reach Node's own listener, which parses HTTP. Not by `maxConnections`: that
  // refuses every newcomer.
  const serve = server.listeners('connection') as ((this: Server, socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket) => {
    const place = places.take(socket.remoteAddress ?? '', () => giveUp(socket))
    if (typeof place === 'string') {
      refuse(socket, place)
      return
    }
    placeOf.set(socket, place)
    socket.once('close', place.leave)
    for (const each of serve) each.call(server, socket)
  })
  server.on('clientError', answerUnreadable)
  server.setTimeout(silentMs)
  return places.open
}

interface Refusal {
  status: string
  error: string
  message: string
}

/** Each answer has an id of its own, like those to requests that are read. */
function answerOf({ status, error, message }: Refusal): string {
  const requestId = randomUUID()
  const body = JSON.stringify({ error, message, requestId })
  const headers = [
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Retry-After: 1',
  ]
  return `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`
}

const refusals: Record<RefusedConnection, Refusal> = {
  connections: {
    status: '503 Service Unavailable',
    error: 'overloaded',
    message: 'Too many connections are open right now',
  },
  connections_of_network: {
    status: '429 Too Many Requests',
    error: 'Too many requests, please try again later.',
    message: 'Too many connections are open from this network',
  },
}

/** Node's own statuses for requests that it cannot read; any other error is a 400. */
const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** As Node does without a listener, with an id: no answer where one has started. */
function answerUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  const { _httpMessage: begun } = socket as { _httpMessage?: { headersSent: boolean } }
  if (socket.writable && !begun?.headersSent)
    socket.write(
      `HTTP/1.1 ${unreadable[error.code ?? ''] ?? '400 Bad Request'}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n`,
    )
  socket.destroy(error)
}
