import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networks } from './yellowcard/catalogue.ts'
import { type Clock, createClock } from './yellowcard/clock.ts'
import { createCollections } from './yellowcard/collections.ts'
import { hundredthsOf } from './yellowcard/money.ts'
import { carryOut, type Served } from './yellowcard/operations.ts'
import { createPayments } from './yellowcard/payments.ts'
import { Refusal } from './yellowcard/refusal.ts'
import { isSigned, type YellowCardCredentials } from './yellowcard/signature.ts'
import { createWebhooks, type Webhooks } from './yellowcard/webhooks.ts'

/**
 * A stand-in for Yellow Card's business API: rates, channels, networks, the account, look-ups of bank
 * accounts, payments and collections, in the shape of their reference, with their authentication checked as
 * they describe it, and their webhooks. Shares no code with our client.
 */
export interface YellowCardStandIn extends Omit<Served, 'ratesAt'> {
  url: string
  /**
   * Mode of the next answers. `astray`: a page of a proxy. `cut`: connections are closed without an answer.
   * `flood`: without an end.
   */
  mode: 'ok' | 'down' | 'garbage' | 'stale' | 'slow' | 'astray' | 'cut' | 'flood'
  /** So many of the next requests are answered with 429, and this `Retry-After`. */
  throttled: number
  retryAfter: number
  /** So many requests are answered in a second, by real time; further ones with 429. Null: all. */
  perSecond: number | null
  /** Milliseconds that an answer takes, or what it waits for. */
  delayOf: ((path: string) => number | Promise<unknown>) | null
  /**
   * The next POST: its answer is lost after the work, the request is lost before it, or it is done and
   * answered with 500 or 408.
   */
  lose: 'answer' | 'request' | 'outcome' | 'patience' | null
  /** Changes each answer about a payment, a collection or a bank account. */
  lie: ((payment: Record<string, unknown>) => Record<string, unknown>) | null
  /** Payments are taken, and the look-up by sequence id does not find them yet. */
  lookUpLags: boolean
  /** What answers report that a payment cost, in dollars, in place of what it did. */
  claims: { amount?: number; serviceFeeAmountUSD?: number } | null
  /** By how much the clock of answers is wrong, in milliseconds. */
  clockIsAheadBy: number
  /** The part of the path that signatures must cover. */
  signedPath: 'whole' | 'short'
  /** Paths that were requested with a valid signature. */
  asked: string[]
  clock: Pick<Clock, 'now'>
  /** Lets time pass, with all that happens in it. */
  move(ms: number): void
  webhooks: Webhooks
  close(): Promise<void>
}

export interface YellowCardOptions {
  /** The clock moves only by `move`. */
  still?: boolean
  /** Dollars in the account. */
  balance?: string
}

export async function startYellowCard(
  credentials: YellowCardCredentials,
  port = 0,
  { still = false, balance = '1000000' }: YellowCardOptions = {},
): Promise<YellowCardStandIn> {
  const clock = createClock(still)
  const webhooks = createWebhooks(credentials)
  const payments = createPayments(clock, hundredthsOf(balance), (payment) => webhooks.report(payment))
  const collections = createCollections(
    clock,
    (collection) => webhooks.report(collection, 'collection'),
    ({ settlement, depositId, ...rest }) =>
      webhooks.report({ ...rest, id: `${depositId}`, status: `${settlement?.status}` }, 'transfer'),
  )
  const settle = () => {
    payments.settle()
    collections.settle()
  }
  const standIn: YellowCardStandIn = {
    url: '',
    mode: 'ok',
    throttled: 0,
    retryAfter: 1,
    perSecond: null,
    delayOf: null,
    lose: null,
    lie: null,
    lookUpLags: false,
    claims: null,
    clockIsAheadBy: 0,
    names: 'both',
    signedPath: 'whole',
    moreRates: [],
    networks,
    asked: [],
    payments,
    collections,
    webhooks,
    clock,
    move: (ms) => {
      clock.move(ms)
      settle()
    },
    close: async () => {},
  }
  const isOverLimit = createLimit(standIn)
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const delay = standIn.delayOf?.(request.url ?? '') ?? 0
      const answers = () =>
        answer(standIn, { credentials, isOverLimit, settle }, request, Buffer.concat(pieces), response)
      if (typeof delay !== 'number') void delay.then(answers)
      else if (delay > 0) setTimeout(answers, delay).unref()
      else answers()
    })
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve()),
  )
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settling = setInterval(settle, 250).unref()
  standIn.close = () =>
    new Promise((resolve) => {
      clearInterval(settling)
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return standIn
}

/** True for a request beyond the limit of this second. */
function createLimit(standIn: Pick<YellowCardStandIn, 'perSecond'>): () => boolean {
  let [second, count] = [0, 0]
  return () => {
    const now = Math.floor(Date.now() / 1000)
    count = now === second ? count + 1 : 1
    second = now
    return standIn.perSecond !== null && count > standIn.perSecond
  }
}

interface Answering {
  credentials: YellowCardCredentials
  isOverLimit(): boolean
  settle(): void
}

function answer(
  standIn: YellowCardStandIn,
  { credentials, isOverLimit, settle }: Answering,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const json = (status: number, content: unknown, headers: Record<string, string> = {}) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(content))
  const cut = () => void request.socket.destroy()
  const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://stand-in')
  const covered = standIn.signedPath === 'short' ? path.slice('/business'.length) : path
  if (!isSigned(request, covered, body, credentials))
    return void json(401, { code: 'AuthenticationError', message: 'Invalid API key or Signature' })
  standIn.asked.push(path)
  if (isOverLimit() || standIn.throttled > 0) {
    standIn.throttled = Math.max(standIn.throttled - 1, 0)
    return void json(
      429,
      { code: 'TooManyRequests', message: 'slow down' },
      { 'retry-after': String(standIn.retryAfter) },
    )
  }
  if (standIn.mode === 'down')
    return void json(503, { code: 'InternalServerError', message: 'something went wrong' })
  if (standIn.mode === 'garbage')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  if (standIn.mode === 'astray')
    return void response.writeHead(404, { 'content-type': 'text/html' }).end('<html>')
  if (standIn.mode === 'slow') return // Never answers: the client's deadline must end it.
  if (standIn.mode === 'cut') return void cut()
  if (standIn.mode === 'flood') return void flood(response)
  const method = request.method ?? ''
  const loses = method === 'POST' ? standIn.lose : null
  if (method === 'POST') standIn.lose = null
  if (loses === 'request') return void cut()
  settle()
  const ratesAt = Date.now() - (standIn.mode === 'stale' ? 24 * 3_600_000 : 0)
  try {
    const done = carryOut({ ...standIn, ratesAt }, { method, path, query, body: parse(body) })
    if (loses === 'answer') return void cut()
    if (loses === 'patience')
      return void json(408, { code: 'RequestTimeout', message: 'something went wrong' })
    if (loses === 'outcome')
      return void json(500, { code: 'InternalServerError', message: 'something went wrong' })
    json(200, lying(standIn, done))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    json(error.status, { code: error.code, message: error.message })
  }
}

/** An answer about payments, collections or a bank account, with its false parts. */
function lying({ lie: ownLie, claims, clockIsAheadBy }: YellowCardStandIn, done: object): object {
  if (ownLie === null && claims === null && clockIsAheadBy === 0) return done
  const lie = (shown: Record<string, unknown>) => {
    const wrong = 'convertedAmount' in shown ? { ...shown, ...claims } : shown
    const updatedAt = Date.parse(String(shown.updatedAt)) + clockIsAheadBy
    const dated =
      clockIsAheadBy === 0 || Number.isNaN(updatedAt)
        ? wrong
        : { ...wrong, updatedAt: new Date(updatedAt).toISOString() }
    return ownLie === null ? dated : ownLie(dated)
  }
  if ('payments' in done) return { payments: (done.payments as Record<string, unknown>[]).map(lie) }
  if ('collections' in done) return { collections: (done.collections as Record<string, unknown>[]).map(lie) }
  return 'sequenceId' in done || 'accountName' in done ? lie(done as Record<string, unknown>) : done
}

/** Sends JSON until the other side has had enough. */
function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[0')
  const piece = ',0'.repeat(2 ** 15)
  const more = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}
