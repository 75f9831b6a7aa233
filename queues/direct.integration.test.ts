import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { JobHandler } from '../src/capability.ts'
import { enqueue, outboxDone } from '../src/platform/database/outbox.ts'
import { newId } from '../src/platform/ids.ts'
import type { OutboxQueue } from '../src/platform/jobs.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { addSessionJobs } from '../test/support/sessionJobs.ts'
import { createDirect, type DirectContext, type DirectRow } from './direct.ts'

let database: TestDatabase
let published: DirectRow[]
let done: string[]

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  published = []
  done = []
  await database.db.query('delete from outbox')
})

const finish = async (job: { outboxId: string }) => {
  await database.db.tx((tx) => outboxDone(tx, job.outboxId))
  done.push(job.outboxId)
}
const direct = (
  process: (job: { outboxId: string }) => Promise<void> = finish,
  more: Partial<DirectContext> = {},
) =>
  createDirect({
    db: database.db,
    log: createLog('test', 'silent'),
    handlers: new Map<OutboxQueue, JobHandler<object>>([
      ['session-payment', { process: process as JobHandler<object>['process'] }],
    ]),
    places: 4,
    retryMs: 60_000,
    publish: async (row) => published.push(row),
    ended: () => {},
    ...more,
  })
const add = (count: number) => addSessionJobs(database.db, count)
const rows = () =>
  database.db.query<{
    id: string
    try: number
    tries_left: number
    last_error: string | null
    later: boolean
  }>('select id, try, tries_left, last_error, relay_after > now() as later from outbox order by id')

test('a due row is done once, at any number of notified workers', async () => {
  await add(3)
  const workers = Array.from({ length: 4 }, () => direct())
  await Promise.all(workers.map((each) => each.take()))
  await Promise.all(workers.map((each) => each.drain()))
  expect([new Set(done).size, done.length, await rows()]).toEqual([3, 3, []])
})

test('a worker takes as many rows as it has places, and leaves the rest to the queue', async () => {
  await add(6)
  const hold = Promise.withResolvers<void>()
  const one = direct(() => hold.promise)
  expect(await one.take()).toBe(false)
  expect((await rows()).map((row) => row.later)).toEqual([true, true, true, true, false, false])
  expect(await one.take()).toBe(false)
  expect((await rows()).filter(({ later }) => later)).toHaveLength(4)
  hold.resolve()
  await one.drain()
})

test('rows of other queues, and rows that were published before, are left to the queue', async () => {
  await database.db.tx((tx) => enqueue(tx, 'additions', [{ additionId: newId() }]))
  expect(await direct().take()).toBe(false)
  await database.db.query('delete from outbox')
  await add(1)
  await database.db.query('update outbox set try = 1')
  expect(await direct().take()).toBe(false)
  expect([await rows(), done]).toMatchObject([[{ try: 1, later: false }], []])
  await database.db.query('delete from outbox')
  expect(await direct().take()).toBe(true)
})

test('a row that fails is published as its first try with its error, and uses up no try', async () => {
  await add(1)
  const before = (await rows())[0]
  const ended: string[] = []
  const worker = direct(() => Promise.reject(new Error('no such session')), {
    ended: (queue, outcome) => ended.push(`${queue} ${outcome}`),
  })
  expect(await worker.take()).toBe(true)
  await worker.drain()
  expect(published).toMatchObject([{ id: before?.id, queue: 'session-payment', payload: { reason: 'seen' } }])
  expect(await rows()).toEqual([{ ...before, try: 1, last_error: 'no such session', later: true }])
  expect(ended).toEqual(['session-payment failed'])
})

test('a row that was taken and not done comes due again', async () => {
  await add(1)
  await direct(async () => {}, { retryMs: 1 }).take()
  expect(await rows()).toMatchObject([{ try: 1 }])
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect((await rows())[0]?.later).toBe(false)
})
