import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Processor, Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { type LocalRedis, startRedis } from '../scripts/local/redis.ts'
import { queueNames } from '../src/capabilities.ts'
import { deadRows, enqueue, outboxDone, replayDead } from '../src/platform/database/outbox.ts'
import { newId } from '../src/platform/ids.ts'
import { outboxPolicy, type QueueName } from '../src/platform/jobs.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { pause } from '../src/platform/wait.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { addSessionJobs } from '../test/support/sessionJobs.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { countFailure } from './countFailure.ts'
import { createNamed, relayBatch, runRelay } from './relay.ts'

let database: TestDatabase
let redis: LocalRedis
let queue: Queue
let connection: Redis
let ctx: Parameters<typeof relayBatch>[0]
const home = mkdtempSync(join(tmpdir(), 'cowry-relay-'))

beforeAll(async () => {
  ;[database, redis] = await Promise.all([createTestDatabase(), startRedis({ home, durable: false })])
  connection = new Redis(redis.url, { maxRetriesPerRequest: null })
  queue = new Queue('session-payment', { connection })
  ctx = {
    db: database.db,
    queues: Object.fromEntries(queueNames.map((name) => [name, queue])) as Record<QueueName, Queue>,
    retryMs: 60_000,
    relayed: () => {},
    log: createLog('test', 'silent'),
  }
})
beforeEach(async () => {
  await queue.obliterate({ force: true })
  await database.db.query('delete from outbox')
})
afterAll(async () => {
  await queue.close()
  connection.disconnect()
  await Promise.all([database.drop(), redis.stop()])
  rmSync(home, { recursive: true })
})

let worker: Worker | null = null
let workers: Redis | null = null
async function work(process: Processor): Promise<void> {
  workers = connection.duplicate()
  worker = new Worker('session-payment', process, { connection: workers })
  worker.on('failed', countFailure(database.db))
  await worker.waitUntilReady()
}
async function stopWork(): Promise<void> {
  await worker?.close()
  // A worker does not close a connection that was passed to it.
  workers?.disconnect()
  worker = null
  workers = null
}
afterEach(stopWork)

const add = (count: number) => addSessionJobs(database.db, count)
const later = () => database.db.query("update outbox set relay_after = now() - interval '1 second'")
const ids = async () =>
  (await queue.getJobs(['waiting', 'delayed', 'prioritized', 'failed', 'completed']))
    .map((job) => job.id)
    .sort()

test('rows of a transaction that rolled back are never published', async () => {
  await expect(
    database.db.tx(async (tx) => {
      await enqueue(tx, 'session-payment', [{ sessionId: newId(), reason: 'seen' }])
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await relayBatch(ctx)).toBe(0)
})

test('a row is published once, however often and however many relays run', async () => {
  await add(40)
  const moved = await Promise.all(Array.from({ length: 5 }, () => relayBatch(ctx)))
  expect(moved.reduce((sum, each) => sum + each, 0)).toBe(40)
  expect(await ids()).toHaveLength(40)
})

test('a row of a queue that only a later version knows is left to that version, and delays no other', async () => {
  await database.db.query(
    "insert into outbox (queue, payload, tries_left) values ('of-later', '{}', 0), ('of-later', '{}', 12)",
  )
  await add(1)
  expect(await relayBatch(ctx)).toBe(1)
  expect(await relayBatch(ctx)).toBe(0)
  expect(await database.db.query("select dead_at, try from outbox where queue = 'of-later'")).toEqual(
    Array(2).fill({ dead_at: null, try: 0 }),
  )
})

test('a row whose job was lost is published again under the next try', async () => {
  await add(1)
  await relayBatch(ctx)
  const [first] = await ids()
  expect(first).toMatch(/^outbox-\d+-1$/)
  expect(await relayBatch(ctx)).toBe(0)
  await queue.obliterate({ force: true })
  await later()
  expect(await relayBatch(ctx)).toBe(1)
  expect(await ids()).toEqual([first?.replace(/-1$/, '-2')])
})

test('a row done in Redis but not in the database is published under the next try: Redis ignores an id that it knows', async () => {
  await add(1)
  await relayBatch(ctx)
  const [first] = await ids()
  await work(async () => {})
  await waitFor('a completed job', async () => (await queue.getCompletedCount()) === 1)
  await stopWork()
  await later()
  await relayBatch(ctx)
  expect(await ids()).toEqual([first, first?.replace(/-1$/, '-2')])
})

test('a row whose job waits because no worker runs never dies, and keeps one job', async () => {
  await add(3)
  for (let round = 0; round < 2 * outboxPolicy.tries; round++) {
    await later()
    await relayBatch(ctx)
  }
  expect(await deadRows(database.db)).toEqual([])
  expect(await ids()).toHaveLength(3)
  const done: string[] = []
  await work(async ({ data }) => {
    await database.db.tx((tx) => outboxDone(tx, data.outboxId))
    done.push(data.outboxId)
  })
  await waitFor(
    'all rows to be done',
    async () => (await database.db.query('select 1 from outbox')).length === 0,
  )
  expect(new Set(done).size).toBe(done.length)
})

test('a row whose job a worker took and never ended is published again, but only once while the new job waits', async () => {
  await add(1)
  await relayBatch(ctx)
  const frozen = Promise.withResolvers<void>()
  await work(() => frozen.promise)
  await waitFor('an active job', async () => (await queue.getActiveCount()) === 1)
  for (let round = 0; round < 3; round++) {
    await later()
    await relayBatch(ctx)
  }
  expect(await queue.getWaitingCount()).toBe(1)
  frozen.resolve()
})

test('a row whose job Redis loses again and again never dies', async () => {
  await add(1)
  for (let round = 0; round < 2 * outboxPolicy.tries; round++) {
    await later()
    expect(await relayBatch(ctx)).toBe(1)
    await connection.flushall()
  }
  expect(await deadRows(database.db)).toEqual([])
})

test('a waiting row is checked less often as it ages, and never sooner than the pause between two tries', async () => {
  await add(1)
  const nextAfter = async (ageSeconds: number) => {
    await database.db.query(
      "update outbox set created_at = now() - $1 * interval '1 second', relay_after = now()",
      [ageSeconds],
    )
    await relayBatch(ctx)
    const [row] = await database.db.query<{ seconds: number }>(
      'select round(extract(epoch from relay_after - now()))::int as seconds from outbox',
    )
    return row?.seconds
  }
  const [min, max] = [ctx.retryMs / 1000, (outboxPolicy.tries * ctx.retryMs) / 1000]
  expect([await nextAfter(0), await nextAfter(3 * min), await nextAfter(100 * max)]).toEqual([
    min,
    3 * min,
    max,
  ])
})

test('a row that a worker has done is deleted and never published again', async () => {
  await add(1)
  await relayBatch(ctx)
  const [row] = await database.db.query<{ id: string }>('select id from outbox')
  await database.db.tx((tx) => outboxDone(tx, row?.id ?? ''))
  await later()
  expect(await relayBatch(ctx)).toBe(0)
})

test('a row whose work failed in all tries becomes a dead row that is listed with its error and can be replayed', async () => {
  await add(1)
  const tries = 3
  await database.db.query('update outbox set tries_left = $1', [tries])
  let attempts = 0
  await work(async () => {
    attempts++
    throw new Error('no such session')
  })
  const left = async () =>
    (await database.db.query<{ left: number }>('select tries_left as left from outbox'))[0]?.left
  for (let round = 1; round <= tries; round++) {
    await later()
    expect(await relayBatch(ctx)).toBe(1)
    await waitFor('a failed try', async () => (await left()) === tries - round)
    expect(attempts).toBe(round * outboxPolicy.attemptsPerTry)
  }
  await later()
  expect(await relayBatch(ctx)).toBe(0)
  expect(await deadRows(database.db)).toMatchObject([
    { queue: 'session-payment', payload: { reason: 'seen' }, error: 'no such session' },
  ])
  await stopWork()
  const before = await ids()
  expect([await replayDead(database.db), await left()]).toEqual([
    new Map([['session-payment', 1]]),
    outboxPolicy.tries,
  ])
  expect(await relayBatch(ctx)).toBe(1)
  expect((await ids()).filter((id) => !before.includes(id))).toEqual([
    expect.stringMatching(new RegExp(`^outbox-\\d+-${tries + 1}$`)),
  ])
})

test('between two scans only what was announced is read, and an endpoint that was named costs no query', async () => {
  const asked: string[] = []
  let underWay = 0
  const { db } = database
  const counting = {
    ...db,
    async query<R extends object>(text: string, values?: unknown[]) {
      asked.push(text)
      underWay++
      return db.query<R>(text, values).finally(() => underWay--)
    },
  }
  const stop = new AbortController()
  const named = createNamed()
  const done = runRelay({ ...ctx, direct: null, db: counting, named, pollMs: 60_000, signal: stop.signal })
  await waitFor('the first scan', async () => asked.length >= named.size && underWay === 0)
  await pause(100)
  const after = async (name?: string, id?: string) => {
    asked.length = 0
    if (name !== undefined) named.get(name)?.note(id)
    if (name !== undefined && id === undefined)
      await waitFor('what was announced to be read', async () => asked.length > 0)
    await pause(100)
    return asked.map((text) => /from (\w+)/.exec(text)?.[1])
  }
  try {
    expect(await after()).toEqual([])
    expect(await after('outbox')).toEqual(['outbox'])
    expect(await after('webhook-delivery', newId())).toEqual([])
    await waitFor('its job', async () => (await queue.getJobCountByTypes('waiting')) === 1)
    expect(await after('payouts')).toHaveLength(1)
  } finally {
    stop.abort()
    await done
  }
})

test('what is announced waits for no scan of another source', async () => {
  const over = Promise.withResolvers<void>()
  const { db } = database
  const slow = {
    ...db,
    async query<R extends object>(text: string, values?: unknown[]) {
      if (!text.includes('outbox')) await over.promise
      return db.query<R>(text, values)
    },
  }
  const stop = new AbortController()
  const named = createNamed()
  const done = runRelay({ ...ctx, direct: null, db: slow, named, pollMs: 60_000, signal: stop.signal })
  try {
    await db.tx((tx) => enqueue(tx, 'session-payment', [{ sessionId: newId(), reason: 'seen' }]))
    named.get('outbox')?.note(undefined)
    await waitFor('its job', async () => (await queue.getJobCountByTypes('waiting')) === 1)
  } finally {
    over.resolve()
    stop.abort()
    await done
  }
})
