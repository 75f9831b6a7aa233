import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { generateApiKey } from '../../src/apiKeys/form.ts'
import { headOf, openRaw, type RawConnection } from './rawHttp.ts'

// Usage: attackers.ts <an attack, as JSON>. Runs as a separate process, so that its CPU time does not count
// as the API's.

export interface Attack {
  kind: AttackKind
  port: number
  forMs: number
  bytesPerSecond: number
  /** Addresses of this machine; each is its own network. */
  addresses: string[]
  /** A tenant's key, for attacks that need one. */
  apiKey: string
}

export interface AttackReport {
  kind: AttackKind
  seconds: number
  requests: number
  connections: number
  bytes: number
  /** Answers by status; `none` for connections that ended without an answer. */
  answers: Record<string, number>
}

interface Attacker extends Attack {
  until: number
  report: AttackReport
  /** Waits until this many bytes may be sent, and counts them. */
  pay(bytes: number): Promise<void>
  open(index: number, firstBytes?: string): RawConnection
}

const json = (length: number | 'chunked', more: Record<string, string> = {}) => ({
  'content-type': 'application/json',
  ...(length === 'chunked' ? { 'transfer-encoding': 'chunked' } : { 'content-length': length }),
  ...more,
})
const login = '/api/v1/auth/login'
const bulk = '/api/v1/monitoring/addresses/bulk'
const random = (digits: number) =>
  Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join('')

const kinds = {
  /**
   * Heads at once, bodies a byte a second: without a credential, with and without a length, and as a tenant.
   */
  slowBodies: (attack: Attacker) => {
    const key = { 'x-api-key': attack.apiKey }
    const declared = (length: number) => headOf('POST', login, json(length))
    const [long, short] = [headOf('POST', login, json('chunked')), declared(8000)]
    const heads = [long, short, long, headOf('POST', bulk, json('chunked', key))]
    // Small bodies that fill the room between larger ones.
    const rest = [8000, 500, 50].map(declared)
    const isRest = (i: number) => i >= 340
    return dribble(
      attack,
      400,
      (i) => (isRest(i) ? rest[i % 3] : heads[i % 4]) ?? '',
      (i) => (isRest(i) || i % 4 === 1 ? 'x' : '1\r\nx\r\n'),
    )
  },
  /** Headers that never end. */
  slowHeaders: (attack: Attacker) =>
    dribble(
      attack,
      400,
      () => 'GET /api/v1/auth/me HTTP/1.1\r\nhost: x\r\nx-slow: ',
      () => 'x',
    ),
  /** Connections that send no bytes. */
  halfOpen: (attack: Attacker) =>
    dribble(
      attack,
      3000,
      () => '',
      () => '',
    ),
  /** 4 kB that decompress to 4 MB. */
  gzip: (attack: Attacker) => {
    const bomb = gzipSync(JSON.stringify({ addresses: 'x'.repeat(4 * 2 ** 20) })).toString('latin1')
    const zipped = { 'content-encoding': 'gzip' }
    const paths = [
      headOf('POST', bulk, json(bomb.length, zipped)),
      headOf('POST', login, json(bomb.length, zipped)),
    ]
    return repeat(attack, 50, (i) => (paths[i % 2] ?? '') + bomb)
  },
  inventedKeys: (attack: Attacker) =>
    repeat(attack, 50, () =>
      headOf('GET', '/api/v1/pos/sessions', { 'x-api-key': generateApiKey('test').reveal() }),
    ),
  wrongPasswords: (attack: Attacker) =>
    repeat(attack, 50, () => {
      const body = JSON.stringify({ email: `${random(8)}@example.com`, password: random(12) })
      return headOf('POST', login, json(body.length)) + body
    }),
  /** Many addresses per call, as a tenant. */
  bulk: (attack: Attacker) =>
    repeat(attack, 10, () => {
      const addresses = Array.from({ length: 1000 }, () => ({ address: `0x${random(40)}` }))
      const body = JSON.stringify({ chain: 'ethereum', addresses })
      return headOf('POST', bulk, json(body.length, { 'x-api-key': attack.apiKey })) + body
    }),
  /** Endless bodies at full speed. */
  streams: (attack: Attacker) =>
    eachOf(attack, 50, async (i) => {
      const connection = attack.open(i, headOf('POST', login, json('chunked')))
      attack.report.requests++
      const answered = connection.answer().then((answer) => count(attack, answer?.status))
      const piece = `${(8192).toString(16)}\r\n${'x'.repeat(8192)}\r\n`
      while (!connection.socket.closed && Date.now() < attack.until) {
        await attack.pay(piece.length)
        if (!connection.socket.write(piece))
          await Promise.race([once(connection.socket, 'drain'), connection.closed])
      }
      connection.socket.destroy()
      await answered
    }),
  /** Answers that are requested and never read. */
  unreadAnswers: (attack: Attacker) =>
    eachOf(attack, 100, async (i) => {
      const request = headOf('GET', '/openapi.json')
      await attack.pay(request.length)
      const { socket, closed } = attack.open(i, request)
      attack.report.requests++
      socket.pause()
      await Promise.race([closed, delay(Math.max(0, attack.until - Date.now()))])
      socket.destroy()
    }),
} satisfies Record<string, (attack: Attacker) => Promise<void>>

export type AttackKind = keyof typeof kinds
export const attackKinds = Object.keys(kinds) as AttackKind[]

const count = ({ report }: Attacker, status: number | undefined) => {
  const name = String(status ?? 'none')
  report.answers[name] = (report.answers[name] ?? 0) + 1
}

/** Repeats work in this many loops until the attack ends. */
async function eachOf(
  attack: Attacker,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: atOnce }, async (_, index) => {
      while (Date.now() < attack.until) {
        await work(index)
        await delay(1)
      }
    }),
  )
}

/** Sends whole requests, one after the other on each connection. */
async function repeat(attack: Attacker, atOnce: number, requestOf: (count: number) => string): Promise<void> {
  const connections: RawConnection[] = []
  await eachOf(attack, atOnce, async (index) => {
    let connection = connections[index]
    if (!connection || connection.socket.closed || connection.socket.writableEnded) {
      connection = attack.open(index)
      connections[index] = connection
    }
    const request = requestOf(attack.report.requests)
    await attack.pay(request.length)
    attack.report.requests++
    connection.socket.write(request, 'latin1')
    const answer = await Promise.race([
      connection.answer(),
      delay(Math.max(0, attack.until - Date.now()), undefined),
    ])
    if (answer !== undefined) count(attack, answer?.status)
    if (answer === null || answer?.headers.connection === 'close') connection.socket.destroy()
  })
  for (const { socket } of connections) socket.destroy()
}

/** Holds nearly silent connections open, and replaces those that end. */
const dribble = (
  attack: Attacker,
  atOnce: number,
  headOf: (index: number) => string,
  pieceOf: (index: number) => string,
): Promise<void> =>
  eachOf(attack, atOnce, async (index) => {
    const [head, piece] = [headOf(index), pieceOf(index)]
    await attack.pay(head.length + 1)
    const connection = attack.open(index, head)
    attack.report.requests += head ? 1 : 0
    const slowly = setInterval(() => {
      if (piece === '' || connection.socket.closed) return
      attack.report.bytes += piece.length
      connection.socket.write(piece)
    }, 1000)
    const over = await Promise.race([connection.closed, delay(Math.max(0, attack.until - Date.now()), null)])
    clearInterval(slowly)
    connection.socket.destroy()
    if (over !== null) {
      count(attack, (await connection.answer())?.status)
      // Retry refused connections with a delay: a flood of SYN packets is not tested here.
      await delay(Math.min(100, Math.max(0, attack.until - Date.now())))
    }
  })

/** A token bucket with a burst of a tenth of a second. */
function payer(bytesPerSecond: number, report: AttackReport): (bytes: number) => Promise<void> {
  let free = bytesPerSecond / 10
  let at = performance.now()
  return async (bytes) => {
    const now = performance.now()
    free = Math.min(bytesPerSecond / 10, free + ((now - at) / 1000) * bytesPerSecond) - bytes
    at = now
    report.bytes += bytes
    if (free < 0) await delay((-free / bytesPerSecond) * 1000)
  }
}

async function run(attack: Attack): Promise<AttackReport> {
  const report: AttackReport = {
    kind: attack.kind,
    seconds: 0,
    requests: 0,
    connections: 0,
    bytes: 0,
    answers: {},
  }
  const began = performance.now()
  await kinds[attack.kind]({
    ...attack,
    until: Date.now() + attack.forMs,
    report,
    pay: payer(attack.bytesPerSecond, report),
    open: (index, firstBytes) => {
      report.connections++
      return openRaw(attack.port, attack.addresses[index % attack.addresses.length], firstBytes)
    },
  })
  return { ...report, seconds: (performance.now() - began) / 1000 }
}

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as Attack)))
  process.exit()
}
