import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { awayFromMidnight } from '../../test/support/awayFromMidnight.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { happen, newBusiness, newEndpoint } from '../../test/support/deliveries.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { AttemptResult } from './attempt.ts'
import { claimBatch, type Ended } from './claimBatch.ts'
import type { Claimed } from './messages.ts'

await awayFromMidnight()

let database: TestDatabase
let endpointId: string
const options = {
  cap: 2,
  troubledCap: 1,
  hostCap: 1000,
  deadlineMs: 10_000,
  schedule: [0, 60_000],
  pauseAfterMs: 3_600_000,
  stepMs: 1000,
}

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  const businessId = await newBusiness(database.db)
  endpointId = (await newEndpoint(database.db, businessId, { url })).endpoint.id
  await happen(database.db, businessId, 10)
})

const claim = (
  ended: readonly Ended[] = [],
  more: Partial<typeof options> = {},
  db: Queryable = database.db,
) => claimBatch(db, endpointId, ended, { ...options, ...more })
const url = 'https://shop.example/hooks'
const endedWith = (
  claimed: Claimed,
  outcome: AttemptResult['outcome'],
  more: Partial<AttemptResult> = {},
): Ended => ({
  claimed,
  url,
  startedAt: new Date(),
  result: {
    outcome,
    responseStatus: 200,
    responseBody: '',
    error: outcome === 'delivered' ? null : 'no',
    durationMs: 1,
    retryAfterMs: null,
    ...more,
  },
})
const row = async (id: string) => {
  const [found] = await database.db.query(
    `select d.status, d.attempts_count, (select array_agg(a.error order by a.number) from webhook_attempts a where a.delivery_id = d.id) as errors,
       (select q.attempts from webhook_queue q where q.delivery_id = d.id) as queued
     from webhook_deliveries d where d.id = $1`,
    [id],
  )
  return found
}
/** A delivery whose claim has expired, and the claim after it. */
async function claimedTwice(): Promise<[Claimed, Claimed]> {
  const first = (await claim([], { cap: 1 })).claimed[0]
  await database.db.query(
    "update webhook_queue set next_attempt_at = now() - interval '1 hour', claimed_until = now() - interval '1 hour' where delivery_id = $1",
    [first?.deliveryId],
  )
  const second = (await claim([], { cap: 1 })).claimed[0]
  if (!first || !second || first.deliveryId !== second.deliveryId) throw new Error('another delivery')
  return [first, second]
}

test('two concurrent batches claim no more than the cap: the second sees the claims of the first', async () => {
  const second = await database.db.tx(async (tx) => {
    expect((await claim([], {}, tx)).claimed).toHaveLength(2)
    const waiting = claim()
    await waitFor('the other batch to wait', async () => {
      const [blocked] = await database.db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%take_delivery_turn%'",
      )
      return blocked
    })
    return { waiting }
  })
  expect((await second.waiting).claimed).toEqual([])
})

test('many concurrent batches mark no more rows as claimed than they return', async () => {
  const businessId = await newBusiness(database.db)
  endpointId = (await newEndpoint(database.db, businessId, { url })).endpoint.id
  await happen(database.db, businessId, 300)
  // Open connections in advance, so that they start at once.
  await Promise.all(Array.from({ length: 6 }, () => database.db.query('select pg_sleep(0.05)')))
  const batches = await Promise.all(Array.from({ length: 6 }, () => claim([], { cap: 8 })))
  const [marked] = await database.db.query(
    'select count(*)::int as n from webhook_queue where endpoint_id = $1 and claimed_until is not null',
    [endpointId],
  )
  expect([batches.flatMap(({ claimed }) => claimed).length, marked]).toEqual([8, { n: 8 }])
})

test('recorded slots are claimed again in the same batch, and no others', async () => {
  const { claimed } = await claim()
  expect((await claim()).claimed).toEqual([])
  const next = await claim(claimed.slice(0, 1).map((each) => endedWith(each, 'delivered')))
  expect(next.claimed).toHaveLength(1)
  expect(next.claimed[0]?.deliveryId).not.toBe(claimed[0]?.deliveryId)
})

test('recording and claiming never exceeds the cap of the resulting state', async () => {
  const failed = async (count: number) =>
    (await claim([], { cap: count })).claimed.map((each) => endedWith(each, 'failed'))
  expect(await claim(await failed(3), { cap: 5 })).toMatchObject({
    endpoint: { consecutiveFailures: 3 },
    claimed: [{ tries: 1 }],
  })
  expect((await claim([], { cap: 5, troubledCap: 0 })).claimed).toEqual([])
})

test('a failure recorded after another claim changes only its own attempt', async () => {
  const [first, second] = await claimedTwice()
  await claim([endedWith(first, 'failed')], { cap: 0 })
  expect(await row(first.deliveryId)).toEqual({
    status: 'pending',
    attempts_count: 1,
    errors: ['no'],
    queued: 2,
  })
  await claim([endedWith(second, 'delivered')], { cap: 0 })
  expect(await row(first.deliveryId)).toEqual({
    status: 'delivered',
    attempts_count: 2,
    errors: ['no', null],
    queued: null,
  })
})

test('a delivery recorded after another claim counts, and a later failure does not revert it', async () => {
  const [first, second] = await claimedTwice()
  await claim([endedWith(first, 'delivered')], { cap: 0 })
  expect(await row(first.deliveryId)).toMatchObject({ status: 'delivered', queued: null })
  await claim([endedWith(second, 'failed')], { cap: 0 })
  expect(await row(first.deliveryId)).toEqual({
    status: 'delivered',
    attempts_count: 2,
    errors: [null, 'no'],
    queued: null,
  })
})

test('recording the same result twice is recording it once', async () => {
  const { claimed } = await claim()
  const ended = claimed.map((each, i) => endedWith(each, i === 0 ? 'delivered' : 'failed'))
  await claim(ended, { cap: 0 })
  const once = await Promise.all(claimed.map(({ deliveryId }) => row(deliveryId)))
  await claim(ended, { cap: 0 })
  expect(await Promise.all(claimed.map(({ deliveryId }) => row(deliveryId)))).toEqual(once)
})

describe('a batch with cached plans', () => {
  const record = async (tx: Queryable, claimed: readonly Claimed[]) =>
    (
      await claim(
        claimed.map((each) => endedWith(each, 'delivered')),
        {},
        tx,
      )
    ).claimed

  test('touches only the weeks of its own deliveries and events: others may be dropped meanwhile', async () => {
    const locked = await database.db.tx(async (tx) => {
      let claimed = (await claim([], {}, tx)).claimed
      for (let i = 0; i < 2; i++) claimed = await record(tx, claimed)
      return tx.query<{ name: string }>(
        `select distinct relname as name from pg_locks join pg_class c on c.oid = relation
         where pid = pg_backend_pid() and locktype = 'relation' and relkind = 'r' and relname ~ '^(events|webhook_deliveries|webhook_attempts)_' order by 1`,
      )
    })
    const [week] = await database.db.query<{ day: string }>(
      "select to_char(date_trunc('week', now() at time zone 'UTC'), 'YYYYMMDD') as day",
    )
    expect(locked.map(({ name }) => name)).toEqual(
      ['events', 'webhook_attempts', 'webhook_deliveries'].map((table) => `${table}_p${week?.day}`),
    )
  })

  test('reads no more when the tables are full than when they were empty', async () => {
    await database.db.query('truncate webhook_queue, webhook_deliveries, webhook_attempts, events')
    await database.db.query('vacuum analyze webhook_queue, webhook_deliveries, webhook_attempts, events')
    const businessId = await newBusiness(database.db)
    endpointId = (await newEndpoint(database.db, businessId, { url })).endpoint.id
    await happen(database.db, businessId, 10)
    const looked = await database.db.tx(async (tx) => {
      let claimed = (await claim([], {}, tx)).claimed
      claimed = await record(tx, claimed)
      const rows = async () => {
        const [read] = await tx.query<{ n: number }>(
          `select sum(seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname ~ '^(events|webhook_queue|webhook_deliveries|webhook_attempts)'`,
        )
        return read?.n ?? 0
      }
      // On another connection: this one keeps its plans.
      await happen(database.db, businessId, 3000)
      const before = await rows()
      expect(await record(tx, claimed)).toHaveLength(2)
      return (await rows()) - before
    })
    expect(looked).toBeLessThan(60)
  })
})

test('an endpoint that does not exist returns nothing', async () => {
  endpointId = '0190a000-0000-7000-8000-000000000001'
  expect(await claim()).toEqual({ endpoint: null, claimed: [], failed: 0 })
})

describe("a result from the endpoint's previous URL", () => {
  const endpoint = async () => {
    const [found] = await database.db.query(
      'select consecutive_failures, failing_since, last_error, last_failed_at, last_delivered_at, not_before from webhook_endpoints where id = $1',
      [endpointId],
    )
    return found
  }
  const move = (to: string) =>
    database.db.query('update webhook_endpoints set url = $2 where id = $1', [endpointId, to])

  test('does not affect the endpoint if it failed: its attempt is recorded, and the delivery is due at once', async () => {
    const { claimed } = await claim([], { schedule: [0] })
    const before = await endpoint()
    await move('https://new.example/')
    const failed = claimed.map((each) => endedWith(each, 'failed', { retryAfterMs: 3_600_000 }))
    const after = await claim(failed, { schedule: [0, 3_600_000], cap: 0, pauseAfterMs: 0 })
    expect(after).toMatchObject({
      endpoint: { open: true, overdue: false, consecutiveFailures: 0 },
      failed: 0,
    })
    expect(await endpoint()).toEqual(before)
    for (const { deliveryId } of claimed)
      expect(await row(deliveryId)).toEqual({
        status: 'pending',
        attempts_count: 1,
        errors: ['no'],
        queued: 1,
      })
    expect((await claim([], { cap: 10 })).claimed.map(({ deliveryId }) => deliveryId)).toEqual(
      expect.arrayContaining(claimed.map(({ deliveryId }) => deliveryId)),
    )
  })

  test("counts as delivered, without improving the endpoint's health", async () => {
    const { claimed } = await claim()
    await claim(
      claimed.slice(1).map((each) => endedWith(each, 'failed')),
      { cap: 0 },
    )
    const before = await endpoint()
    await move('https://new.example/')
    const first = claimed.slice(0, 1)
    await claim(
      first.map((each) => endedWith(each, 'delivered')),
      { cap: 0 },
    )
    expect(before).toMatchObject({ consecutive_failures: 1 })
    expect(await endpoint()).toEqual(before)
    for (const { deliveryId } of first)
      expect(await row(deliveryId)).toMatchObject({ status: 'delivered', queued: null })
  })

  test('that used up the last try: one more attempt is made at the new URL', async () => {
    const [claimed] = (await claim([], { cap: 1 })).claimed
    if (!claimed) throw new Error('nothing was due')
    await move('https://new.example/')
    const [again] = (await claim([endedWith(claimed, 'gone')], { cap: 1, schedule: [0] })).claimed.filter(
      ({ deliveryId }) => deliveryId !== claimed.deliveryId,
    )
    expect([again?.tries, await row(claimed.deliveryId)]).toEqual([
      1,
      expect.objectContaining({ status: 'pending' }),
    ])
    const next = (await claim([], { cap: 10, schedule: [0] })).claimed.find(
      ({ deliveryId }) => deliveryId === claimed.deliveryId,
    )
    if (!next) throw new Error('it is not due')
    await claim([{ ...endedWith(next, 'failed'), url: 'https://new.example/' }], { cap: 0, schedule: [0] })
    expect(await row(claimed.deliveryId)).toMatchObject({ status: 'failed', attempts_count: 2, queued: null })
  })
})
