import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { deliveryContext, happen, newBusiness, newEndpoint } from '../../test/support/deliveries.ts'
import { startServer, type TestServer } from '../../test/support/httpServer.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { createBulkhead } from './bulkhead.ts'
import type { DeliveryContext } from './deliverDue.ts'
import { webhookDeliveryWorker } from './deliveryWorker.ts'

let database: TestDatabase
let server: TestServer
let closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  server = await startServer()
})
afterEach(async () => {
  await server.close()
  for (const close of closing) await close()
  closing = []
})

const places = 3
function start(options: Partial<DeliveryContext> = {}, signal: AbortSignal = new AbortController().signal) {
  const ctx = deliveryContext(database.db, options)
  closing.push(() => ctx.close())
  return webhookDeliveryWorker(ctx, signal, places)
}
async function endpointWith(events: number): Promise<string> {
  const businessId = await newBusiness(database.db)
  const { endpoint } = await newEndpoint(database.db, businessId, { url: server.url })
  await happen(database.db, businessId, events)
  return endpoint.id
}
const jobOf = (endpointId: string) => ({ endpointId })

test('a job ends with its deliveries when they are quick', async () => {
  const worker = start()
  await worker.process(jobOf(await endpointWith(3)))
  expect([server.heard.length, worker.running()]).toEqual([3, 0])
})

test('a job whose receiver hangs gives up its place, and its attempt continues: it is finished before the process ends', async () => {
  server.answer = () => {}
  const worker = start({ timeoutMs: 5000, schedule: [0, 60_000] })
  const id = await endpointWith(1)
  await worker.process(jobOf(id))
  expect(worker.running()).toBe(1)
  await worker.drain()
  expect(worker.running()).toBe(0)
  const [attempt] = await database.db.query(
    'select error from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id where d.endpoint_id = $1',
    [id],
  )
  expect(attempt).toEqual({ error: expect.stringContaining('timeout') })
})

test('a second signal for an endpoint in delivery starts no second run', async () => {
  const answers: (() => void)[] = []
  server.answer = (response) => void answers.push(() => response.end())
  const worker = start()
  const id = await endpointWith(3)
  const first = worker.process(jobOf(id))
  await waitFor('all to be under way', async () => answers.length === 3)
  await worker.process(jobOf(id))
  expect(worker.running()).toBe(1)
  for (const answer of answers) answer()
  await first
  expect(server.heard).toHaveLength(3)
})

test('a notification of this worker starts a delivery without a job, up to its places; another one only signals what runs', async () => {
  const answers: (() => void)[] = []
  server.answer = (response) => void answers.push(() => response.end())
  const stop = new AbortController()
  const worker = start({}, stop.signal)
  const ids = await Promise.all(Array.from({ length: places + 1 }, () => endpointWith(1)))
  const [first = '', ...others] = ids
  expect([worker.notified(first, false), worker.running()]).toEqual([false, 0])
  expect([worker.notified(first, true), worker.running()]).toEqual([true, 1])
  await waitFor('its attempt', async () => answers.length === 1)
  expect([worker.notified(first, false), worker.running()]).toEqual([true, 1])
  expect(others.map((id) => worker.notified(id, true))).toEqual([true, true, false])
  await waitFor('their attempts', async () => answers.length === places)
  for (const answer of answers) answer()
  await worker.drain()
  stop.abort()
  expect([worker.notified(others.at(-1) ?? '', true), server.heard.length]).toEqual([false, places])
})

test('a failing endpoint costs one read while the bulkhead is full, and is tried again when a permit is free', async () => {
  const asked: string[] = []
  const { db } = database
  const bulkhead = createBulkhead(1)
  const counting = {
    ...db,
    query<R extends object>(text: string, values?: unknown[]) {
      asked.push(text)
      return db.query<R>(text, values)
    },
  }
  const worker = start({ db: counting, bulkhead })
  const id = await endpointWith(1)
  await db.query('update webhook_endpoints set consecutive_failures = 5 where id = $1', [id])
  const permit = bulkhead.acquire()
  await worker.process(jobOf(id))
  expect(server.heard).toEqual([])
  asked.length = 0
  await worker.process(jobOf(id))
  expect(asked).toEqual([expect.stringMatching(/^select consecutive_failures /)])
  permit?.release()
  await worker.process(jobOf(id))
  // Its job may end before it.
  await worker.drain()
  expect(server.heard).toHaveLength(1)
})

test('an endpoint that recovered elsewhere needs no permit, and is delivered to once however many jobs it has', async () => {
  const bulkhead = createBulkhead(1)
  const worker = start({ bulkhead })
  const id = await endpointWith(1)
  const failures = (n: number) =>
    database.db.query('update webhook_endpoints set consecutive_failures = $2 where id = $1', [id, n])
  await failures(5)
  const permit = bulkhead.acquire()
  await worker.process(jobOf(id))
  expect(server.heard).toEqual([])
  await failures(0)
  await Promise.all([1, 2, 3].map(() => worker.process(jobOf(id))))
  await worker.drain()
  expect([server.heard.length, permit?.isWanted()]).toEqual([1, true])
  expect(permit?.isWanted()).toBe(false)
})
