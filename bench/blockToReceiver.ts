import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { startCowry } from '../scripts/local/cowryProcess.ts'
import { startRedis } from '../scripts/local/redis.ts'
import { eventTypes } from '../src/capabilities.ts'
import { newId } from '../src/platform/ids.ts'
import { Secret } from '../src/platform/secrets.ts'
import { createEndpoint } from '../src/webhooks/createEndpoint.ts'
import { signatureHeaders } from '../src/webhooks/sign.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { intentEnv } from '../test/support/intentKeys.ts'
import { webhookSecret } from '../test/support/stack.ts'
import { appKey } from '../test/support/template.ts'
import { wideCaps } from '../test/support/wideCaps.ts'
import { startChild } from './child.ts'
import { startIndexer } from './indexerProcess.ts'
import { quantile, spread } from './measure.ts'
import { monitorSynthetic, syntheticMonitored } from './monitoredRows.ts'
import { asInProduction } from './processes.ts'
import { progress } from './progress.ts'
import { firstHeight } from './recordedChain.ts'
import { type Replay, startReplay } from './replay.ts'
import { digits, type Figure, figure, type Report } from './report.ts'
import { sampleEvent } from './sampleEvent.ts'
import { createScope, type Scope } from './scope.ts'
import type { Arrivals, Await } from './timingReceiver.ts'

const bench = 'webhooks'
const blockMs = 250
/** 100 transfers a second. */
const transfersPerBlock = 25
const warmUpBlocks = 20
const blocks = 240
/**
 * Before the product, and as many after it: p99 is then of as many blocks, and of the same state of the
 * machine.
 */
const bareBlocks = blocks / 2
const monitored = 100_000
const inFlight = 8

/** From a readable block to the webhooks about its 100 transfers a second to monitored addresses. */
export async function benchBlockToReceiver(scope: Scope): Promise<Report> {
  const receiver = scope.keep(startChild(new URL('./timingReceiver.ts', import.meta.url)), (each) =>
    each.close(),
  )
  const { port } = await receiver.next<{ port: number }>()
  const url = `http://127.0.0.1:${port}/hooks`
  const replay = await startReplay(scope, 'ethereum')
  await replay.order({ paying: { outOf: 1, payments: transfersPerBlock } })
  let head = firstHeight
  /**
   * Produces blocks; returns the milliseconds until the webhook about each of their transfers, in block
   * order.
   */
  const follow = async (count: number, type: string): Promise<Arrival[]> => {
    const [from, to] = [head + 1, head + count]
    head = to
    const asked = receiver.ask<Arrivals>({
      type,
      from,
      to,
      events: count * transfersPerBlock,
    } satisfies Await)
    const { heads } = await replay.order({ head: to, everyMs: blockMs })
    const { came } = await within(asked, `the webhooks about ${count} blocks`)
    if (came.length !== count * transfersPerBlock)
      throw new Error(`${came.length} webhooks about ${count * transfersPerBlock} transfers`)
    const times = new Map(heads)
    return came.map(([id, height, at]) => ({
      id,
      ms: at - (times.get(height) ?? Number.NaN),
      readable: times.get(height) ?? Number.NaN,
      at,
    }))
  }

  progress('block to receiver: bare')
  const followBare = async () => {
    const bare = await bareFollower(replay, url)
    await follow(warmUpBlocks, bareType)
    const arrivals = await follow(bareBlocks, bareType)
    await bare.close()
    return arrivals
  }
  const before = await followBare()

  const running = scope.keep(createScope(), (each) => each.close())
  const database = await startProduct(running, replay, url)
  progress('block to receiver: warm-up')
  await follow(warmUpBlocks, detected)
  progress(`block to receiver: ${blocks} blocks, ${(blocks * blockMs) / 1000} s`)
  const product = await follow(blocks, detected)
  const stepsOf = await steps(database, product)
  await running.close()
  progress('block to receiver: bare')
  const limit = [...before, ...(await followBare())]

  const [limit50, limit99, p50, p99] = [
    ...[0.5, 0.99].map((q) => quantile(waits(limit), q)),
    ...[0.5, 0.99].map((q) => quantile(waits(product), q)),
  ] as [number, number, number, number]
  const what = `block readable to webhook received, ${(transfersPerBlock * 1000) / blockMs} monitored transfers a second`
  return {
    figures: [
      line('bare: head received, block and receipts read, signed POSTs', limit, 0.5, { ratio: 1 }),
      line('bare: head received, block and receipts read, signed POSTs', limit, 0.99, { ratio: 1 }),
      line(what, product, 0.5, { ratio: once(p50 / limit50) }),
      line(what, product, 0.99, { ratio: once(p99 / limit99), aim: 'under 250 ms', met: p99 < 250 }),
    ],
    notes: [
      `block to receiver: a node serves recorded Ethereum mainnet blocks, one every ${blockMs} ms, with ${transfersPerBlock} transfers to monitored addresses of one business, which monitors ${monitored.toLocaleString('en')}, and its one endpoint; ${blocks} blocks, ${product.length.toLocaleString('en')} webhooks of ${detected}, and those of transaction.confirmed about older blocks as well; heads by WebSocket, polls at their defaults. The bare limit was measured with ${bareBlocks} such blocks before, and as many after. Node, indexer, worker, receiver, Postgres and Redis share the cores.`,
      `block to receiver, steps of the product, p50 and p99: ${stepsOf}.`,
    ],
  }
}

const detected = 'transaction.detected'
const bareType = 'bare'

interface Arrival {
  /** The event's id. */
  id: string
  ms: number
  readable: number
  at: number
}

const waits = (arrivals: readonly Arrival[]) => arrivals.map(({ ms }) => ms)
const once = (value: number) => spread([value])

function line(
  what: string,
  arrivals: readonly Arrival[],
  q: 0.5 | 0.99,
  more: Parameters<typeof figure>[4],
): Figure {
  const { min, max } = spread(waits(arrivals))
  return figure(bench, `${what}, p${q * 100}`, { median: quantile(waits(arrivals), q), min, max }, 'ms', more)
}

async function within<T>(work: Promise<T>, what: string): Promise<T> {
  const late = new AbortController()
  const timeout = delay(60_000, null, { signal: late.signal }).then(
    () => Promise.reject(new Error(`${what} did not all arrive within a minute`)),
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([work, timeout])
  } finally {
    late.abort()
  }
}

/** Indexer, worker and their dependencies, with a business that monitors the recipients of the blocks. */
async function startProduct(scope: Scope, replay: Replay, url: string): Promise<TestDatabase> {
  const home = process.env.COWRY_TEST_HOME ?? tmpdir()
  const database = scope.keep(await createTestDatabase(5), (each) => each.drop())
  const redis = scope.keep(await startRedis({ home: join(home, 'bench-redis'), durable: false }), (each) =>
    each.stop(),
  )
  const businessId = newId()
  await database.db.query("insert into businesses (id, name) values ($1, 'Bench')", [businessId])
  await monitorSynthetic(database.url, businessId, monitored)
  await createEndpoint(
    { db: database.db, appKey: new Secret(appKey), environment: 'test', caps: wideCaps, eventTypes },
    businessId,
    { url },
  )
  progress('starting indexer and worker')
  const env = {
    ...asInProduction(),
    LOG_LEVEL: 'warn',
    DATABASE_URL: database.url,
    ...intentEnv,
    REDIS_URL: redis.url,
    APP_KEY: appKey,
    ETHEREUM_RPC_URLS: replay.url,
    ETHEREUM_BLOCK_MS: String(blockMs),
    WEBHOOK_IN_FLIGHT: String(inFlight),
    WEBHOOK_ALLOW_HOSTS: '127.0.0.1',
  }
  const worker = scope.keep(startCowry('worker', 'worker', [], env, join(home, 'bench-worker.log')), (each) =>
    each.stop(),
  )
  await worker.ready()
  await startIndexer(scope, 'ethereum', database, replay, {
    ETHEREUM_WS_URLS: replay.wsUrl,
    ETHEREUM_BLOCK_MS: String(blockMs),
  })
  return database
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Lower bound: get the head, read the block, find the recipients, notify the receiver. Stores nothing. */
async function bareFollower(replay: Replay, url: string): Promise<{ close(): Promise<void> }> {
  const known = new Set(
    Array.from(
      { length: monitored },
      (_, n) =>
        `0x${syntheticMonitored(n + 1)
          .toString('hex')
          .padStart(64, '0')}`,
    ),
  )
  const agent = new Agent({ connections: inFlight, pipelining: 1 })
  const secret = new Secret(webhookSecret)
  const follow = async (height: string) => {
    const [, receipts] = await Promise.all([
      ask(agent, replay.url, 'eth_getBlockByNumber', [height, true]),
      ask(agent, replay.url, 'eth_getBlockReceipts', [height]),
    ])
    const paid = (receipts as { logs: { topics: string[] }[] }[])
      .flatMap(({ logs }) => logs)
      .filter(
        ({ topics }) => topics.length === 3 && topics[0] === transferTopic && known.has(topics[2] ?? ''),
      )
    await Promise.all(
      paid.map(async () => {
        const at = new Date()
        const body = JSON.stringify({
          type: bareType,
          timestamp: at.toISOString(),
          version: 1,
          sequence: 1,
          data: { ...sampleEvent, blockHeight: Number(height) },
        })
        const headers = { 'content-type': 'application/json', ...signatureHeaders(secret, newId(), at, body) }
        await (await agent.request({ ...target(url), method: 'POST', headers, body })).body.text()
      }),
    )
  }
  const socket = new WebSocket(replay.wsUrl)
  const subscribed = Promise.withResolvers<void>()
  socket.addEventListener('open', () =>
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}'),
  )
  socket.addEventListener('error', () => subscribed.reject(new Error('no subscription to new heads')))
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as { id?: number; params?: { result: { number: string } } }
    if (message.id === 1) subscribed.resolve()
    if (message.params) void follow(message.params.result.number)
  })
  await subscribed.promise
  return {
    async close() {
      socket.close()
      await agent.close()
    },
  }
}

const target = (url: string) => ({ origin: new URL(url).origin, path: new URL(url).pathname })

async function ask(dispatcher: Dispatcher, url: string, method: string, params: unknown[]): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const response = await dispatcher.request({
    ...target(url),
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.body.json()) as { result: unknown }).result
}

/** Time of each step, from the timestamps of the rows: each is the start of its transaction. */
async function steps({ db }: TestDatabase, arrivals: readonly Arrival[]): Promise<string> {
  const rows = await db.query<{ id: string; seen: number; event: number; sent: number }>(
    `select e.id, extract(epoch from d.seen_at)::float8 * 1000 as seen, extract(epoch from e.created_at)::float8 * 1000 as event,
       extract(epoch from a.started_at)::float8 * 1000 as sent
     from events e join detections d on d.id = (e.data->>'id')::uuid
     join webhook_deliveries w on w.event_id = e.id and w.created_at = e.created_at
     join webhook_attempts a on a.delivery_id = w.id and a.created_at = w.created_at and a.number = 1
     where e.type = $1`,
    [detected],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const step = (
    name: string,
    of: (row: { seen: number; event: number; sent: number }, arrival: Arrival) => number,
  ) => {
    const values = arrivals.flatMap((each) => {
      const row = byId.get(each.id)
      return row ? [of(row, each)] : []
    })
    return `${name} ${digits(quantile(values, 0.5))} and ${digits(quantile(values, 0.99))} ms`
  }
  return [
    step('block readable to the start of its commit', ({ seen }, { readable }) => seen - readable),
    step('to its events', ({ seen, event }) => event - seen),
    step('to the attempt', ({ event, sent }) => sent - event),
    step('to its arrival', ({ sent }, { at }) => at - sent),
  ].join(', ')
}
