import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { type LocalRedis, startRedis } from '../scripts/local/redis.ts'
import { newId } from '../src/platform/ids.ts'
import { outboxPolicy } from '../src/platform/jobs.ts'
import { createLog } from '../src/platform/log.ts'
import { deadRows, enqueue, outboxDone, replayDead } from '../src/platform/outbox.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { relayBatch } from './relay.ts'

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
    queues: { 'session-payment': queue, monitoring: queue, suspense: queue, outgoing: queue, 'webhook-delivery': queue },
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

const add = (count: number) =>
  database.db.tx((tx) =>
    enqueue(
      tx,
      'session-payment',
      Array.from({ length: count }, () => ({ sessionId: newId(), reason: 'seen' as const })),
    ),
  )
const later = () => database.db.query("update outbox set relay_after = now() - interval '1 second'")
const ids = async () => (await queue.getJobs(['waiting', 'delayed', 'prioritized', 'failed', 'completed'])).map((job) => job.id).sort()

test('what a transaction rolled back is never published', async () => {
  await expect(
    database.db.tx(async (tx) => {
      await enqueue(tx, 'session-payment', [{ sessionId: newId(), reason: 'seen' }])
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await relayBatch(ctx)).toBe(0)
})

test('a row is published once, however often and by however many the relay runs', async () => {
  await add(40)
  const moved = await Promise.all(Array.from({ length: 5 }, () => relayBatch(ctx)))
  expect(moved.reduce((sum, each) => sum + each, 0)).toBe(40)
  expect(await ids()).toHaveLength(40)
})

test('a row whose job was lost is published again under the next try, because an id that Redis knows is ignored', async () => {
  await add(1)
  await relayBatch(ctx)
  const [first] = await ids()
  expect(first).toMatch(/^outbox-\d+-1$/)
  expect(await relayBatch(ctx)).toBe(0)
  await later()
  expect(await relayBatch(ctx)).toBe(1)
  expect(await ids()).toEqual([first, first?.replace(/-1$/, '-2')])
})

test('a row that a worker has done is gone and is never published again', async () => {
  await add(1)
  await relayBatch(ctx)
  const [row] = await database.db.query<{ id: string }>('select id from outbox')
  await database.db.tx((tx) => outboxDone(tx, row?.id ?? ''))
  await later()
  expect(await relayBatch(ctx)).toBe(0)
})

test('a row that was never done in all its tries becomes a dead row that is listed, and can be replayed', async () => {
  await add(1)
  for (let turn = 0; turn < outboxPolicy.tries; turn++) {
    await later()
    expect(await relayBatch(ctx)).toBe(1)
  }
  await later()
  expect(await relayBatch(ctx)).toBe(0)
  expect(await deadRows(database.db)).toMatchObject([{ queue: 'session-payment', payload: { reason: 'seen' } }])
  const before = await ids()
  expect(await replayDead(database.db)).toBe(1)
  expect(await relayBatch(ctx)).toBe(1)
  expect((await ids()).filter((id) => !before.includes(id))).toEqual([expect.stringMatching(new RegExp(`^outbox-\\d+-${outboxPolicy.tries + 1}$`))])
})
