import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { connectionPlaces, type Place, type PlaceLimits, type RefusedConnection } from './connectionPlaces.ts'

/** What connections one HTTP server takes, and for how long. */
export interface ConnectionLimits extends PlaceLimits {
  headersMs: number
  /** For the whole request, its body included. */
  requestMs: number
  keepAliveMs: number
}

/** An answer that its receiver does not read is given up after this. No answer takes as long to make. */
const silentMs = 120_000
const headerBytes = 16 * 1024

/** Time-outs of requests; Node looks at them once a second. */
export const serverOptions = ({ headersMs, requestMs, keepAliveMs }: ConnectionLimits): ServerOptions => ({
  headersTimeout: Math.min(headersMs, requestMs),
  requestTimeout: requestMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: headerBytes,
})

/** Connections that are told why they were refused, at once and for so long; others are closed without a word. */
const [maxTold, toldMs] = [100, 1000]

/**
 * Refuses what is one connection too many, in an answer to its first request, and closes connections without a request where a newcomer has no
 * place (`connectionPlaces`). One that has a request under way is left alone.
 * @returns how many there are
 */
export function limitConnections(server: Server, limits: ConnectionLimits, refused: (reason: RefusedConnection) => void = () => {}): () => number {
  const places = connectionPlaces(limits)
  const placeOf = new WeakMap<Socket, Place>()
  const asked = new WeakSet<Socket>()
  let told = 0

  function refuse(socket: Socket, reason: RefusedConnection): void {
    refused(reason)
    if (told >= maxTold) {
      socket.destroy()
      return
    }
    told++
    const timer = setTimeout(() => socket.destroy(), toldMs)
    socket.once('close', () => {
      told--
      clearTimeout(timer)
    })
    // What comes after is read and dropped: closing would take the answer away.
    socket.once('data', () => socket.end(refusals[reason]))
    socket.once('end', () => socket.end())
    socket.on('error', () => {})
  }

  function giveUp(socket: Socket): void {
    refused('connections')
    // A request that has begun is answered; between requests HTTP has no word.
    if (asked.has(socket) || socket.bytesRead === 0) socket.destroy()
    else {
      socket.write(refusals.connections)
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
  // With a listener of this event Node leaves the request to it.
  if (server.listenerCount('checkContinue') > 0) server.prependListener('checkContinue', begin)

  // Only what has a place is given to Node's own listener, which reads it as HTTP. Not by `maxConnections`: that refuses whoever comes last.
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
  server.setTimeout(silentMs)
  return places.open
}

const answer = (status: string, error: string, message: string): string => {
  const body = JSON.stringify({ error, message })
  const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Retry-After: 1', 'Connection: close']
  return `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

const refusals: Record<RefusedConnection, string> = {
  connections: answer('503 Service Unavailable', 'overloaded', 'Too many connections are open right now'),
  connections_of_network: answer(
    '429 Too Many Requests',
    'Too many requests, please try again later.',
    'Too many connections are open from this network',
  ),
}
