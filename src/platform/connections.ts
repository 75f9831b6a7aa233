import type { Server, ServerOptions } from 'node:http'
import { isWithin, networkOf } from './addresses.ts'

/** What connections one HTTP server takes, and for how long. */
export interface ConnectionLimits {
  connections: number
  /** Of one network; `exempt` networks (proxies, which stand for many clients) are not counted. */
  perNetwork: number
  exempt: readonly string[]
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

export type RefusedConnection = 'connections' | 'connections_of_network'

/**
 * Closes what is one connection too many. Connections that send nothing count as well, so one network cannot take all of them.
 * @returns how many there are
 */
export function limitConnections(server: Server, limits: ConnectionLimits, refused: (reason: RefusedConnection) => void = () => {}): () => number {
  let open = 0
  const ofNetwork = new Map<string, number>()
  server.maxConnections = limits.connections
  server.setTimeout(silentMs)
  server.on('drop', () => refused('connections'))
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    open++
    socket.once('close', () => {
      open--
    })
    if (isWithin(address, limits.exempt)) return
    const network = networkOf(address)
    const held = (ofNetwork.get(network) ?? 0) + 1
    if (held > limits.perNetwork) {
      refused('connections_of_network')
      socket.destroy()
      return
    }
    ofNetwork.set(network, held)
    socket.once('close', () => {
      const left = (ofNetwork.get(network) ?? 1) - 1
      if (left === 0) ofNetwork.delete(network)
      else ofNetwork.set(network, left)
    })
  })
  return () => open
}
