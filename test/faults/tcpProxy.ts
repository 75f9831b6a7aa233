import { connect, createServer, type Socket } from 'node:net'

/**
 * A TCP proxy in front of a server: breaks its connections, refuses new ones, and leads to another server
 * after a failover.
 */
export interface TcpProxy {
  port: number
  /** Where new connections lead. */
  target: number
  /** Ends each connection, and each new one at once, until `open`. */
  refuse(): void
  /** Keeps the connections and passes on nothing, as if the machine had lost its power, until `open`. */
  silence(): void
  /** Connections that were silent are lost. */
  open(): void
  close(): Promise<void>
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'refusing' | 'silent' = 'open'
  const endAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  const server = createServer((client) => {
    if (state === 'refusing') {
      client.destroy()
      return
    }
    const upstream = connect(proxy.target, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.setNoDelay(true)
      from.on('data', (bytes) => void (state !== 'silent' && to.write(bytes)))
      from.on('error', () => {})
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const proxy: TcpProxy = {
    port: typeof address === 'object' && address ? address.port : 0,
    target,
    refuse() {
      state = 'refusing'
      endAll()
    },
    silence() {
      state = 'silent'
    },
    open() {
      if (state === 'silent') endAll()
      state = 'open'
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        endAll()
      }),
  }
  return proxy
}
