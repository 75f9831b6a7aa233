import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import { rpc } from '../test/devnets/evm.ts'
import { createStack, type SessionBody, type Stack } from '../test/support/stack.ts'
import { interleave, quantile, type Series, type Spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import { digits, figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'latency'
const blocks = 200
const warmUp = 20
const unit = 10n ** 6n
/** Pause between blocks: shorter than any poll interval, and random. */
const gapMs = { min: 20, max: 120 }

/** From a mined block to the webhook about its payment. */
export async function benchLatency(scope: Scope): Promise<Report> {
  progress('starting a whole stack')
  // As in production: latency comes from notifications, not from fast polling.
  const stack = scope.keep(
    await createStack({ subscribe: true, confirmations: 1, env: asInProduction() }),
    (each) => each.close(),
  )
  const heads = scope.keep(await listenToHeads(stack.devnet.wsUrl), (each) => each.close())
  progress(`creating ${blocks + warmUp} sessions`)
  const sessions: SessionBody[] = []
  for (let i = 0; i < blocks + warmUp; i++) sessions.push(await stack.createSession())
  const arrivals = detections(stack)

  const series = await interleave(bench, { rounds: blocks, warmUp }, async (index) => {
    const limit = await bareRound(stack, heads)
    const product = await productRound(stack, heads, arrivals, sessions[index + warmUp] as SessionBody)
    return { ...limit, ...product }
  })
  const steps = await breakdown(stack, series)

  const p50 = quantile(series.mined, 0.5)
  const p99 = quantile(series.mined, 0.99)
  const [limit50, limit99] = [quantile(series.limit, 0.5), quantile(series.limit, 0.99)]
  return {
    figures: [
      line('bare: head received, block and receipts read, POST', series.limit, 0.5, { ratio: 1 }),
      line('bare: head received, block and receipts read, POST', series.limit, 0.99, { ratio: 1 }),
      line('block mined to webhook received', series.mined, 0.5, { ratio: once(p50 / limit50) }),
      line('block mined to webhook received', series.mined, 0.99, {
        ratio: once(p99 / limit99),
        aim: 'under 250 ms',
        met: p99 < 250,
      }),
      line('mining requested to webhook received', series.asked, 0.5),
      line('mining requested to webhook received', series.asked, 0.99, {
        aim: 'under 250 ms',
        met: quantile(series.asked, 0.99) < 250,
      }),
      line('head received to webhook received', series.received, 0.5),
      line('head received to webhook received', series.received, 0.99),
    ],
    notes: [
      `${blocks} blocks with one payment each, in turn with ${blocks} blocks without payments for the bare limit (the indexer reads those as well); new heads by WebSocket, 1 confirmation, polls at their defaults. The times of mined and received are those at which this process noticed, which is late when the cores are busy; mining requested is the upper bound.`,
      `steps of the product, p50 and p99: ${steps}.`,
    ],
  }
}

const once = (value: number): Spread => ({ median: value, min: value, max: value })

function line(
  what: string,
  values: readonly number[],
  q: 0.5 | 0.99,
  more: Parameters<typeof figure>[4] = {},
) {
  const range = { median: quantile(values, q), min: Math.min(...values), max: Math.max(...values) }
  return figure(bench, `${what}, p${q * 100}`, range, 'ms', more)
}

interface Heads {
  /** When the head of this height was received; waits for it. */
  receivedAt(height: number): Promise<number>
  close(): Promise<void>
}

/** A plain subscription of the bench. */
async function listenToHeads(url: string): Promise<Heads> {
  const times = new Map<number, PromiseWithResolvers<number>>()
  const at = (height: number) => {
    const known = times.get(height) ?? Promise.withResolvers<number>()
    times.set(height, known)
    return known
  }
  const socket = new WebSocket(url)
  const subscribed = Promise.withResolvers<void>()
  socket.addEventListener('open', () =>
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
  )
  socket.addEventListener('error', () => subscribed.reject(new Error('no subscription to new heads')))
  socket.addEventListener('message', ({ data }) => {
    const now = performance.now()
    const message = JSON.parse(String(data)) as { id?: number; params?: { result: { number: string } } }
    if (message.id === 1) subscribed.resolve()
    if (message.params) at(Number(message.params.result.number)).resolve(now)
  })
  await subscribed.promise
  return {
    receivedAt: (height) => at(height).promise,
    close: async () => socket.close(),
  }
}

/** When `transaction.detected` of a session arrived at the receiver; waits for it. */
function detections(stack: Stack) {
  const times = new Map<string, PromiseWithResolvers<number>>()
  stack.receiver.answer = (event) => {
    if (event.type === 'transaction.detected')
      times.get(event.data.sessionId ?? '')?.resolve(performance.now())
    return { status: 204 }
  }
  return (sessionId: string) => {
    const arrival = Promise.withResolvers<number>()
    times.set(sessionId, arrival)
    const timer = setTimeout(
      () => arrival.reject(new Error(`no webhook about ${sessionId}\n${stack.troubles()}`)),
      20_000,
    )
    return arrival.promise.finally(() => clearTimeout(timer))
  }
}

/** Mines pending transactions. @returns the height, when the node was queried, and when it answered */
async function mine(
  stack: Stack,
): Promise<{ height: number; askedAt: number; minedAt: number; minedTime: number }> {
  await delay(gapMs.min + Math.random() * (gapMs.max - gapMs.min))
  const height = (await stack.height()) + 1
  const askedAt = performance.now()
  await stack.mine()
  return { height, askedAt, minedAt: performance.now(), minedTime: Date.now() }
}

/** Lower bound: get the head, read the block, notify the receiver. */
async function bareRound(stack: Stack, heads: Heads): Promise<{ limit: number }> {
  await stack.send(`0x${randomBytes(20).toString('hex')}`, unit)
  const { height, minedAt } = await mine(stack)
  await heads.receivedAt(height)
  const at = `0x${height.toString(16)}`
  const [block, receipts] = await Promise.all([
    rpc(stack.devnet.rpcUrl, 'eth_getBlockByNumber', [at, true]),
    rpc(stack.devnet.rpcUrl, 'eth_getBlockReceipts', [at]),
  ])
  if (!block || !receipts) throw new Error(`block ${height} is missing`)
  // Unsigned: the receiver only counts it as forged.
  await fetch(stack.receiver.url, { method: 'POST', body: JSON.stringify({ height }) })
  return { limit: performance.now() - minedAt }
}

async function productRound(
  stack: Stack,
  heads: Heads,
  arrivals: ReturnType<typeof detections>,
  session: SessionBody,
) {
  await stack.send(session.address as Address, 100n * unit)
  const arrival = arrivals(session.id)
  const { height, askedAt, minedAt, minedTime } = await mine(stack)
  const arrivedAt = await arrival
  const arrivedTime = Date.now()
  const headAt = await heads.receivedAt(height)
  return {
    asked: arrivedAt - askedAt,
    mined: arrivedAt - minedAt,
    received: arrivedAt - headAt,
    minedTime,
    arrivedTime,
  }
}

/** Time of each step, from the timestamps of the rows: each is the start of its transaction. */
async function breakdown(stack: Stack, series: Series<'minedTime' | 'arrivedTime'>): Promise<string> {
  const rows = await stack.db.query<{ seen: number; event: number; claimed: number }>(
    `select extract(epoch from d.seen_at)::float8 * 1000 as seen, extract(epoch from e.created_at)::float8 * 1000 as event,
       extract(epoch from a.started_at)::float8 * 1000 as claimed
     from detections d
     join events e on e.type = 'transaction.detected' and e.data->>'id' = d.id::text
     join webhook_deliveries w on w.event_id = e.id and w.created_at = e.created_at
     join webhook_attempts a on a.delivery_id = w.id and a.created_at = w.created_at and a.number = 1
     order by d.block_height`,
  )
  const counted = rows.slice(-series.minedTime.length)
  const step = (name: string, values: readonly number[]) =>
    `${name} ${digits(quantile(values, 0.5))} and ${digits(quantile(values, 0.99))} ms`
  return [
    step(
      'block mined to the start of its commit',
      counted.map((row, i) => row.seen - (series.minedTime[i] ?? Number.NaN)),
    ),
    step(
      'to the events of the settled session',
      counted.map((row) => row.event - row.seen),
    ),
    step(
      'to the claim of the delivery',
      counted.map((row) => row.claimed - row.event),
    ),
    step(
      'to its arrival',
      counted.map((row, i) => (series.arrivedTime[i] ?? Number.NaN) - row.claimed),
    ),
  ].join(', ')
}
