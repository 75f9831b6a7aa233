import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { listen } from '../../src/platform/http/http.ts'

export interface Asked {
  /** The authority of the request: the requested destination. */
  authority: string
  /** `Proxy-Authorization`. */
  authorization: string | undefined
}

/** An egress proxy: connects on CONNECT, and records each request, of any method. */
export interface ConnectProxy {
  port: number
  asked: Asked[]
  /** The status of the answer; null: no answer ever. Only 200 connects. */
  status: number | null
  close(): Promise<void>
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const proxy: ConnectProxy = { port: 0, asked: [], status: 200, close: async () => {} }
  const remember = (authority: string | undefined, authorization: string | undefined) =>
    proxy.asked.push({ authority: authority ?? '', authorization })
  const server = createServer((request, response) => {
    remember(request.url, request.headers['proxy-authorization'])
    response.writeHead(405).end()
  })
  server.on('connection', keep)
  server.on('connect', (request, socket: Socket) => {
    remember(request.url, request.headers['proxy-authorization'])
    const { status } = proxy
    if (status === null) return
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const target = new URL(`http://${request.url}`)
    const onward = keep(connect(Number(target.port) || 80, target.hostname.replace(/^\[|\]$/g, '')))
    onward.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket).pipe(onward)
    })
    onward.once('close', () => socket.destroy())
  })
  proxy.port = await listen(server, 0, '127.0.0.1')
  proxy.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return proxy
}
