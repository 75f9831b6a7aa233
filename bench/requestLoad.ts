import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** The request that is repeated. */
export interface Target {
  port: number
  path: string
  headers: Record<string, string>
  /** JSON of a POST; without it, the request is a GET. */
  body?: string
}

export interface Load {
  perSecond: number
  /** Milliseconds of each request. */
  waits: number[]
  /** Share of the time in which this thread, the client, used the CPU. */
  busy: number
}

/**
 * Sends requests over kept connections, each after the last answer. Reads only status and length of an
 * answer: an HTTP client would use as much CPU as the measured server.
 * @throws when an answer is not a 200
 */
export async function load(target: Target, clients: number, forMs: number): Promise<Load> {
  const sockets = await Promise.all(
    Array.from({ length: clients }, async () => {
      const socket = connect(target.port, '127.0.0.1').setNoDelay(true)
      await once(socket, 'connect')
      return socket
    }),
  )
  const waits: number[] = []
  const cpu = process.threadCpuUsage()
  const begin = performance.now()
  try {
    await Promise.all(sockets.map((socket) => repeat(socket, target, begin + forMs, waits)))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const ms = performance.now() - begin
  const { user, system } = process.threadCpuUsage(cpu)
  return { perSecond: (waits.length / ms) * 1000, waits, busy: (user + system) / 1000 / ms }
}

function repeat(
  socket: Socket,
  { path, headers, body }: Target,
  end: number,
  waits: number[],
): Promise<void> {
  const ofBody =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
  const all = { host: '127.0.0.1', accept: 'application/json', ...headers, ...ofBody }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`,
  )
  let held: Buffer = Buffer.alloc(0)
  let asked = performance.now()
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${path}: the connection was closed`)))
    socket.on('data', (chunk: Buffer) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const answer = wholeAnswer(held)
      if (!answer) return
      held = Buffer.alloc(0)
      if (answer.status !== '200') {
        reject(new Error(`${path} answered ${answer.status}: ${answer.body.toString()}`))
        return
      }
      const now = performance.now()
      waits.push(now - asked)
      if (now >= end) {
        resolve()
        return
      }
      asked = now
      socket.write(request)
    })
    socket.write(request)
  })
}

/** A complete answer; null while more bytes are expected. */
function wholeAnswer(held: Buffer): { status: string; body: Buffer } | null {
  const headEnd = held.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = held.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  const status = head.slice(9, 12)
  if (length === undefined) return { status: `${status} without a length`, body: held.subarray(headEnd + 4) }
  return held.length < headEnd + 4 + Number(length) ? null : { status, body: held.subarray(headEnd + 4) }
}
