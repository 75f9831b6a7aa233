import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { happen, newBusiness, newEndpoint, webhookContext } from '../../test/support/deliveries.ts'
import type { Db } from '../platform/database/db.ts'
import { claimBatch } from './claimBatch.ts'
import { pauseEndpoint, resumeEndpoint } from './pauseEndpoint.ts'
import { removeEndpoint } from './removeEndpoint.ts'
import { replayDelivery, replayFailed } from './replayDelivery.ts'

let database: TestDatabase
let ctx: ReturnType<typeof webhookContext>
let businessId: string
const url = 'https://shop.example/hooks'
const notFound = { status: 404 }

beforeAll(async () => {
  database = await createTestDatabase()
  ctx = webhookContext(database.db)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = await newBusiness(database.db)
})

const deliveries = () =>
  database.db.query<{ status: string; queued: boolean }>(
    `select d.status, q.delivery_id is not null as queued from webhook_deliveries d
     left join webhook_queue q on q.delivery_id = d.id where d.business_id = $1 order by d.id`,
    [businessId],
  )
const failAll = () =>
  database.db.query(
    `with gone as (delete from webhook_queue returning delivery_id)
     update webhook_deliveries d set status = 'failed', attempts_count = 10 from gone where d.id = gone.delivery_id and d.business_id = $1`,
    [businessId],
  )

test('a replay restarts the schedule and continues the count', async () => {
  await newEndpoint(database.db, businessId)
  const [id = ''] = await happen(database.db, businessId)
  await failAll()
  expect(await replayDelivery(ctx, businessId, id)).toMatchObject({
    id,
    status: 'pending',
    attemptsCount: 10,
    deliveredAt: null,
  })
  expect(
    await database.db.query(
      'select attempts, tries, next_attempt_at <= now() as due from webhook_queue where delivery_id = $1',
      [id],
    ),
  ).toEqual([{ attempts: 10, tries: 0, due: true }])
  // Again: it is already pending.
  expect(await replayDelivery(ctx, businessId, id)).toMatchObject({ status: 'pending' })
})

test('a replay of a delivered one delivers it again', async () => {
  await newEndpoint(database.db, businessId)
  const [id = ''] = await happen(database.db, businessId)
  await database.db.query('delete from webhook_queue where delivery_id = $1', [id])
  await database.db.query(
    "update webhook_deliveries set status = 'delivered', delivered_at = now() where id = $1",
    [id],
  )
  expect(await replayDelivery(ctx, businessId, id)).toMatchObject({ status: 'pending', deliveredAt: null })
  expect(await deliveries()).toMatchObject([{ status: 'pending', queued: true }])
})

test('a replay without an active endpoint is refused with the reason', async () => {
  const [orphan = ''] = await happen(database.db, businessId)
  await expect(replayDelivery(ctx, businessId, orphan)).rejects.toMatchObject({
    status: 409,
    error: 'no_endpoint',
  })
  const { id: endpointId } = (await newEndpoint(database.db, businessId)).endpoint
  const [id = ''] = await happen(database.db, businessId)
  await pauseEndpoint(ctx, businessId, endpointId)
  await expect(replayDelivery(ctx, businessId, id)).rejects.toMatchObject({
    status: 409,
    error: 'endpoint_paused',
  })
  await removeEndpoint(ctx, businessId, endpointId)
  await expect(replayDelivery(ctx, businessId, id)).rejects.toMatchObject({
    status: 409,
    error: 'endpoint_removed',
  })
  for (const [who, what] of [
    [await newBusiness(database.db), id],
    [businessId, 'x'],
    [businessId, businessId],
  ] as const)
    await expect(replayDelivery(ctx, who, what)).rejects.toMatchObject(notFound)
})

test('a replay of failed deliveries takes those of the given time and endpoint, and skips paused endpoints', async () => {
  const one = (await newEndpoint(database.db, businessId)).endpoint.id
  const other = (await newEndpoint(database.db, businessId)).endpoint.id
  await happen(database.db, businessId, 5)
  await failAll()
  const hour = (n: number) => new Date(Date.now() + n * 3_600_000)
  expect(await replayFailed(ctx, businessId, { since: hour(1) })).toEqual({ replayed: 0, more: false })
  expect(await replayFailed(ctx, businessId, { since: hour(-2), until: hour(-1) })).toEqual({
    replayed: 0,
    more: false,
  })
  expect(await replayFailed(ctx, businessId, { since: hour(-1), endpointId: one })).toEqual({
    replayed: 5,
    more: false,
  })
  await pauseEndpoint(ctx, businessId, other)
  expect(await replayFailed(ctx, businessId, { since: hour(-1) })).toEqual({ replayed: 0, more: false })
  await expect(replayFailed(ctx, businessId, { since: hour(-1), endpointId: other })).rejects.toMatchObject({
    error: 'endpoint_paused',
  })
  await resumeEndpoint(ctx, businessId, other)
  expect(await replayFailed(ctx, businessId, { since: hour(-1) })).toEqual({ replayed: 5, more: false })
  expect((await deliveries()).every(({ status, queued }) => status === 'pending' && queued)).toBe(true)
  await expect(
    replayFailed(ctx, await newBusiness(database.db), { since: hour(-1), endpointId: one }),
  ).rejects.toMatchObject(notFound)
})
test('a large replay lets others in after each piece, and does not replay new failures', async () => {
  const { db } = database
  const ids = await Promise.all([newEndpoint(db, businessId, { url }), newEndpoint(db, businessId, { url })])
  const [one = '', other = ''] = ids.map(({ endpoint }) => endpoint.id).sort()
  await db.query(
    `insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount, status)
     select (lpad(to_hex(n), 12, '0') || '-7000-8000-000000000000')::uuid, date_trunc('milliseconds', now()), gen_random_uuid(), $1,
       case when n % 100 = 0 then $3::uuid else $2 end, 'session', 'session.paid', '', '', '', '', 'failed'
     from generate_series(1, 12001) n`,
    [businessId, one, other],
  )
  const options = {
    cap: 10,
    troubledCap: 10,
    hostCap: 1000,
    deadlineMs: 10_000,
    schedule: [],
    pauseAfterMs: 3_600_000,
    stepMs: 0,
  }
  const result = {
    outcome: 'failed',
    responseStatus: 500,
    responseBody: '',
    error: 'no',
    durationMs: 1,
    retryAfterMs: null,
  } as const
  const waiting: number[] = []
  const watched: Db = {
    ...db,
    async tx(work) {
      const done = await db.tx(work)
      waiting.push((await deliveries()).filter(({ status }) => status === 'failed').length)
      const { claimed } = await claimBatch(db, one, [], options)
      const ended = claimed.map((each) => ({ claimed: each, url, startedAt: new Date(), result }))
      await claimBatch(db, one, ended, { ...options, cap: 0, troubledCap: 0 })
      return done
    },
  }
  expect(
    await replayFailed({ ...ctx, db: watched }, businessId, { since: new Date(Date.now() - 3_600_000) }),
  ).toEqual({
    replayed: 12_001,
    more: false,
  })
  // The start hook; pieces of 500, with ten failures after each; and the ended hook.
  expect(waiting[0]).toBe(12_001)
  for (const [index, left] of waiting.entries())
    expect((waiting[index - 1] ?? left) - left).toBeLessThanOrEqual(500)
  expect((await deliveries()).filter(({ status }) => status === 'failed')).toHaveLength(
    (waiting.length - 1) * 10,
  )
  expect((await deliveries()).every(({ status, queued }) => (status === 'pending') === queued)).toBe(true)
})
