import { execFile } from 'node:child_process'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { commandArguments } from '../../scripts/local/nodeArguments.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { eventOf, newBusiness, newEndpoint, webhookContext } from '../../test/support/deliveries.ts'
import { documentedUrl } from '../../test/support/operatorCommands.ts'
import { getEvent, listEvents } from '../events/listEvents.ts'
import { recordDeliveries } from '../events/recordEvents.ts'
import { eraseDeliveries } from './eraseDeliveries.ts'
import { getDelivery } from './getDelivery.ts'
import { replayDelivery, replayFailed } from './replayDelivery.ts'

const canary = 'erased-4c1d90e2'
const since = new Date(0)

let database: TestDatabase
let businessId: string
let one: string
let two: string

beforeAll(async () => {
  database = await createTestDatabase(10)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = await newBusiness(database.db)
  one = (await newEndpoint(database.db, businessId)).endpoint.id
  two = (await newEndpoint(database.db, businessId, { eventTypes: ['session.*'] })).endpoint.id
})

const ctx = () => ({ db: database.db, say: () => {} })
/** Events whose deliveries have ended, each with an attempt and its answer. */
async function ended(
  count = 1,
  {
    type = 'session.paid',
    status = 'delivered',
  }: { type?: 'session.paid' | 'transfer.failed'; status?: string } = {},
): Promise<string[]> {
  const made = Array.from({ length: count }, () =>
    eventOf(type, { address: canary, amount: canary, symbol: canary, txId: canary }, { customer: canary }),
  )
  const ids = await database.db.tx((tx) => recordDeliveries(tx, businessId, made))
  await database.db.query('delete from webhook_queue where delivery_id = any($1::uuid[])', [ids])
  await database.db.query(
    'update webhook_deliveries set status = $2, attempts_count = 1 where id = any($1::uuid[])',
    [ids, status],
  )
  await database.db.query(
    `insert into webhook_attempts (delivery_id, created_at, number, duration_ms, response_status, response_body)
     select id, created_at, 1, 7, 200, $2 from webhook_deliveries where id = any($1::uuid[])`,
    [ids, `answer ${canary}`],
  )
  return ids
}
/** Rows of the business that still have anything of the payload. */
const left = async () => {
  const [row] = await database.db.query<{ events: number; deliveries: number; answers: number }>(
    `select (select count(*)::int from events where business_id = $1 and data::text like $2) as events,
       (select count(*)::int from webhook_deliveries d where business_id = $1 and d::text like $2) as deliveries,
       (select count(*)::int from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id where d.business_id = $1 and a::text like $2) as answers`,
    [businessId, `%${canary}%`],
  )
  return row
}
const eventOfDelivery = async (id: string) => (await getDelivery(database, businessId, id)).eventId

describe('erasing', () => {
  test('blanks bodies, subjects and answers, and keeps the record of what happened', async () => {
    const [id = ''] = await ended()
    const before = await getDelivery(database, businessId, id)
    expect(await eraseDeliveries(ctx(), { businessId })).toEqual({ events: 1, deliveries: 2 })
    expect(await left()).toEqual({ events: 0, deliveries: 0, answers: 0 })
    const after = await getDelivery(database, businessId, id)
    expect(after).toEqual({
      ...before,
      address: '',
      symbol: '',
      amount: '',
      txId: null,
      erasedAt: expect.any(String),
      event: { ...before.event, data: {}, erasedAt: expect.any(String) },
      attempts: [{ ...before.attempts[0], responseBody: null }],
    })
    expect(await getEvent(database, businessId, after.eventId)).toEqual(after.event)
    expect((await listEvents(database, businessId, { after: 0, limit: 10 })).events).toEqual([after.event])
    expect(await eraseDeliveries(ctx(), { businessId })).toEqual({ events: 0, deliveries: 0 })
  })

  test('of one event, of what is older than a time, and of one business leaves the others', async () => {
    const [first = ''] = await ended(1, { type: 'transfer.failed' })
    const middle = new Date()
    await database.db.query('select pg_sleep(0.01)')
    const [second = ''] = await ended(1, { type: 'transfer.failed' })
    await ended(2, { type: 'transfer.failed' })
    expect(await eraseDeliveries(ctx(), { businessId: await newBusiness(database.db) })).toEqual({
      events: 0,
      deliveries: 0,
    })
    expect(await left()).toEqual({ events: 4, deliveries: 4, answers: 4 })
    expect(await eraseDeliveries(ctx(), { businessId, before: middle })).toEqual({ events: 1, deliveries: 1 })
    expect((await getDelivery(database, businessId, first)).erasedAt).not.toBeNull()
    expect(await eraseDeliveries(ctx(), { businessId, eventId: await eventOfDelivery(second) })).toEqual({
      events: 1,
      deliveries: 1,
    })
    expect(await left()).toEqual({ events: 2, deliveries: 2, answers: 2 })
  })

  test('of one endpoint leaves bodies that went to another endpoint too', async () => {
    await ended(1, { type: 'transfer.failed' })
    await ended(1, { type: 'session.paid' })
    expect(await eraseDeliveries(ctx(), { businessId, endpointId: one })).toEqual({
      events: 1,
      deliveries: 2,
    })
    expect(await left()).toEqual({ events: 1, deliveries: 1, answers: 1 })
    expect(await eraseDeliveries(ctx(), { businessId, endpointId: two })).toEqual({
      events: 1,
      deliveries: 1,
    })
    expect(await left()).toEqual({ events: 0, deliveries: 0, answers: 0 })
  })

  test('works in batches, which are reported, and also for events without a delivery', async () => {
    await ended(1100, { type: 'transfer.failed' })
    await database.db.query('update webhook_endpoints set removed_at = now() where business_id = $1', [
      businessId,
    ])
    const said: string[] = []
    expect(await eraseDeliveries({ ...ctx(), say: (line) => void said.push(line) }, { businessId })).toEqual({
      events: 1100,
      deliveries: 1100,
    })
    expect(said).toEqual([
      '500 events, 500 deliveries erased',
      '1000 events, 1000 deliveries erased',
      '1100 events, 1100 deliveries erased',
    ])
    await database.db.query('delete from webhook_deliveries where business_id = $1', [businessId])
    await database.db.query(
      "update events set erased_at = null, data = jsonb_build_object('x', $2::text) where business_id = $1",
      [businessId, canary],
    )
    expect(await eraseDeliveries(ctx(), { businessId })).toEqual({ events: 1100, deliveries: 0 })
    expect(await left()).toEqual({ events: 0, deliveries: 0, answers: 0 })
  })
})

describe('an erased delivery', () => {
  test('is not sent again: a replay of it is refused, and one of all that failed leaves it out', async () => {
    const [id = ''] = await ended(1, { type: 'transfer.failed', status: 'failed' })
    await eraseDeliveries(ctx(), { businessId })
    const [kept = ''] = await ended(1, { type: 'transfer.failed', status: 'failed' })
    await expect(replayDelivery(database, businessId, id)).rejects.toMatchObject({
      status: 409,
      error: 'delivery_erased',
    })
    expect(await replayFailed(webhookContext(database.db), businessId, { since })).toEqual({
      replayed: 1,
      more: false,
    })
    const queued = await database.db.query<{ id: string }>(
      'select delivery_id as id from webhook_queue where endpoint_id = $1',
      [one],
    )
    expect(queued).toEqual([{ id: kept }])
  })

  test('is either replayed or erased if both are requested at once, never both', async () => {
    const ids = await ended(40, { type: 'transfer.failed', status: 'failed' })
    const [erasing, ...replays] = await Promise.allSettled([
      eraseDeliveries(ctx(), { businessId }),
      ...ids.map((id) => replayDelivery(database, businessId, id)),
    ])
    const rows = await database.db.query<{ status: string; erased: boolean }>(
      `select d.status, d.erased_at is not null as erased from webhook_deliveries d where d.business_id = $1`,
      [businessId],
    )
    expect(rows.filter(({ status, erased }) => status === 'pending' && erased)).toEqual([])
    const replayed = replays.filter(({ status }) => status === 'fulfilled').length
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(replayed)
    expect(replayed + rows.filter(({ erased }) => erased).length).toBe(
      erasing?.status === 'fulfilled' ? 40 : replayed,
    )
  })
})

describe('deliveries that are still to be made', () => {
  const pending = () =>
    database.db.tx((tx) =>
      recordDeliveries(tx, businessId, [eventOf('session.paid', {}, { customer: canary })]),
    )

  test('are not erased: nothing is, and the answer has their number', async () => {
    await ended()
    await pending()
    await expect(eraseDeliveries(ctx(), { businessId })).rejects.toMatchObject({
      status: 409,
      error: 'deliveries_pending',
      message: expect.stringContaining('2 deliveries'),
    })
    expect(await left()).toMatchObject({ events: 2 })
  })

  test('are given up and erased where that is requested, except while one is attempted', async () => {
    const [id = ''] = await pending()
    await database.db.query(
      "update webhook_queue set claimed_until = now() + interval '1 minute' where delivery_id = $1",
      [id],
    )
    await expect(eraseDeliveries(ctx(), { businessId }, { giveUpPending: true })).rejects.toMatchObject({
      error: 'delivery_under_way',
    })
    expect(await left()).toMatchObject({ events: 1 })
    await database.db.query('update webhook_queue set claimed_until = null where delivery_id = $1', [id])
    expect(await eraseDeliveries(ctx(), { businessId }, { giveUpPending: true })).toEqual({
      events: 1,
      deliveries: 2,
    })
    expect(await getDelivery(database, businessId, id)).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
      event: { data: {} },
    })
    expect(
      await database.db.query(
        'select 1 from webhook_queue q join webhook_deliveries d on d.id = q.delivery_id where d.business_id = $1',
        [businessId],
      ),
    ).toEqual([])
  })
})

describe('npm run cowry -- deliveries', () => {
  const run = (...args: string[]): Promise<{ code: number; said: string }> =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env.PATH ?? '',
        DATABASE_URL: documentedUrl('commands/deliveries.ts', database.url),
      }
      execFile(
        process.execPath,
        [...commandArguments, 'deliveries', ...args],
        { env },
        (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr }),
      )
    })

  test('erases, and leaves an entry in the audit log of the business; wrong arguments change nothing', async () => {
    await ended()
    const wrong = [
      [],
      ['erase'],
      ['erase', 'all'],
      ['erase', businessId, '--before', 'yesterday'],
      ['erase', businessId, '--event', '7'],
      ['erase', businessId, 'more'],
    ]
    const [ok, ...refused] = await Promise.all([
      run('erase', businessId, '--before', '2000-01-01'),
      ...wrong.map((args) => run(...args)),
    ])
    expect(ok).toEqual({ code: 0, said: '0 events, 0 deliveries erased\n' })
    expect(refused.map(({ code }) => code)).toEqual(wrong.map(() => 2))
    expect(refused[0]?.said).toContain('Usage: cowry deliveries erase')
    expect(await left()).toMatchObject({ events: 1 })
    expect(await run('erase', businessId)).toEqual({ code: 0, said: '1 events, 2 deliveries erased\n' })
    expect(await left()).toEqual({ events: 0, deliveries: 0, answers: 0 })
    const entries = await database.db.query(
      "select action, actor_label as by, target, after from audit_log where business_id = $1 and action like 'webhooks.eras%' order by at, id",
      [businessId],
    )
    expect(entries.slice(-2)).toEqual([
      {
        action: 'webhooks.erasing_begun',
        by: 'cowry deliveries',
        target: null,
        after: { endpointId: null, eventId: null, before: null, giveUpPending: false },
      },
      {
        action: 'webhooks.erased',
        by: 'cowry deliveries',
        target: null,
        after: { events: 1, deliveries: 2 },
      },
    ])
  })
})
