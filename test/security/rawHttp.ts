import { connect, type Socket } from 'node:net'

/** One answer on a connection. */
export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface RawConnection {
  socket: Socket
  /** The next complete answer; null if the connection ends or the time is over before. */
  answer(withinMs?: number): Promise<RawAnswer | null>
  /** Resolves when the connection is closed, with its duration in milliseconds. */
  closed: Promise<number>
}

/** Opens a connection from an address of this machine that sends only the given bytes. */
export function openRaw(port: number, localAddress = '127.0.0.1', firstBytes = ''): RawConnection {
  const began = performance.now()
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  let unread = ''
  let over = false
  let notify: () => void = () => {}
  socket.setEncoding('latin1')
  socket.on('data', (piece: string) => {
    unread += piece
    notify()
  })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => {
    socket.once('close', () => {
      over = true
      notify()
      resolve(performance.now() - began)
    })
  })
  if (firstBytes) socket.write(firstBytes)
  return {
    socket,
    closed,
    async answer(withinMs = 10_000) {
      for (const until = performance.now() + withinMs; ; ) {
        const found = firstAnswer(unread)
        if (found) {
          unread = unread.slice(found.length)
          return found.answer
        }
        const leftMs = until - performance.now()
        if (over || leftMs <= 0) return null
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs)
          notify = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    },
  }
}

function firstAnswer(text: string): { answer: RawAnswer; length: number } | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(first.split(' ')[1])
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const length = Number(headers['content-length'] ?? 0)
  if (text.length < end + 4 + length) return null
  return {
    answer: { status, headers, body: text.slice(end + 4, end + 4 + length) },
    length: end + 4 + length,
  }
}

/** The head of a request, without a body. */
export const headOf = (method: string, path: string, headers: Record<string, string | number> = {}): string =>
  `${method} ${path} HTTP/1.1\r\n${Object.entries({ host: 'localhost', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`
