import { createHook } from 'node:async_hooks'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { waitFor } from './waitFor.ts'

/**
 * Listening sockets, one an address and all at one port, that record connections; they answer as receivers
 * do.
 */
export interface Listeners {
  port: number
  /** The requested addresses that this machine has. */
  addresses: readonly string[]
  /** Connections by their destination address. */
  heard: Map<string, number>
  /** Where they redirect to, and how; null: 204. */
  redirect: { status: number; location: string } | null
  /**
   * Connects to each once and waits until the connection is recorded: earlier connections are in `heard` by
   * then.
   */
  settle(): Promise<void>
  close(): Promise<void>
}

/** @param addresses the first is one that every machine has */
export async function startListeners(addresses: readonly string[]): Promise<Listeners> {
  for (;;) {
    const started = await listenAtOnePort(addresses)
    if (started) return started
  }
}

/** Null where another process has the port at one of the addresses. */
async function listenAtOnePort(addresses: readonly string[]): Promise<Listeners | null> {
  const servers = new Map<string, Server>()
  const listeners: Listeners = {
    port: 0,
    addresses: [],
    heard: new Map(),
    redirect: null,
    settle: async () => {
      for (const address of servers.keys()) {
        const before = listeners.heard.get(address) ?? 0
        const socket = connect(listeners.port, address).on('error', () => {})
        await waitFor(`a connection to ${address}`, async () => (listeners.heard.get(address) ?? 0) > before)
        socket.destroy()
        listeners.heard.set(address, (listeners.heard.get(address) ?? 0) - 1)
      }
    },
    close: async () => {
      await Promise.all(
        [...servers.values()].map((server) => {
          const closed = new Promise<void>((resolve) => server.close(() => resolve()))
          server.closeAllConnections()
          return closed
        }),
      )
    },
  }
  for (const address of addresses) {
    const server = createServer((request, response) => {
      request.resume()
      const { redirect } = listeners
      // Closing makes each request a connection of its own.
      response
        .writeHead(redirect?.status ?? 204, {
          connection: 'close',
          ...(redirect ? { location: redirect.location } : {}),
        })
        .end()
    })
    server.on('connection', () => listeners.heard.set(address, (listeners.heard.get(address) ?? 0) + 1))
    const problem = await new Promise<string | null>((resolve) => {
      server
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
        .listen(listeners.port, address, () => resolve(null))
    })
    if (problem === 'EADDRINUSE') {
      await listeners.close()
      return null
    }
    if (problem !== null) continue
    servers.set(address, server)
    listeners.port = (server.address() as AddressInfo).port
  }
  listeners.addresses = [...servers.keys()]
  return listeners
}

/** Counts every TCP connection that this process starts, by any API, from the system call's side. */
export function countConnects(): { begun: number; stop(): void } {
  const counted = { begun: 0, stop: () => void hook.disable() }
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'TCPCONNECTWRAP') counted.begun++
    },
  }).enable()
  return counted
}
