import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { happen, newBusiness, newEndpoint } from '../../test/support/deliveries.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import type { Queryable } from '../platform/db.ts'
import type { AttemptResult } from './attempt.ts'
import type { Claimed } from './messages.ts'
import { type Ended, takeTurn } from './turn.ts'

let database: TestDatabase
let endpointId: string
const options = { cap: 2, troubledCap: 1, hostCap: 1000, deadlineMs: 10_000, schedule: [0, 60_000], pauseAfterMs: 3_600_000, stepMs: 1000 }

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  const businessId = await newBusiness(database.db)
  endpointId = (await newEndpoint(database.db, businessId, { url })).endpoint.id
  await happen(database.db, businessId, 10)
})

const turn = (ended: readonly Ended[] = [], more: Partial<typeof options> = {}, db: Queryable = database.db) =>
  takeTurn(db, endpointId, ended, { ...options, ...more })
const url = 'https://shop.example/hooks'
const endedWith = (claimed: Claimed, outcome: AttemptResult['outcome'], more: Partial<AttemptResult> = {}): Ended => ({
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
/** One whose claim has run out, and the claim that came after it. */
async function claimedTwice(): Promise<[Claimed, Claimed]> {
  const first = (await turn([], { cap: 1 })).claimed[0]
  await database.db.query(
    "update webhook_queue set next_attempt_at = now() - interval '1 hour', claimed_until = now() - interval '1 hour' where delivery_id = $1",
    [first?.delivery_id],
  )
  const second = (await turn([], { cap: 1 })).claimed[0]
  if (!first || !second || first.delivery_id !== second.delivery_id) throw new Error('another delivery')
  return [first, second]
}

test('two turns at once claim no more than the cap: the one that waited knows what the other claimed', async () => {
  const second = await database.db.tx(async (tx) => {
    expect((await turn([], {}, tx)).claimed).toHaveLength(2)
    const waiting = turn()
    await waitFor('the other turn to wait', async () => {
      const [blocked] = await database.db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%take_webhook_turn%'",
      )
      return blocked
    })
    return { waiting }
  })
  expect((await second.waiting).claimed).toEqual([])
})

test('of many turns at once none marks more rows as claimed than it gives: those that have to be taken again claim nothing', async () => {
  const businessId = await newBusiness(database.db)
  endpointId = (await newEndpoint(database.db, businessId, { url })).endpoint.id
  await happen(database.db, businessId, 300)
  // Connections that are open already, so that they begin at once indeed.
  await Promise.all(Array.from({ length: 6 }, () => database.db.query('select pg_sleep(0.05)')))
  const turns = await Promise.all(Array.from({ length: 6 }, () => turn([], { cap: 8 })))
  const [marked] = await database.db.query('select count(*)::int as n from webhook_queue where endpoint_id = $1 and claimed_until is not null', [
    endpointId,
  ])
  expect([turns.flatMap(({ claimed }) => claimed).length, marked]).toEqual([8, { n: 8 }])
})

test('the slots of what is recorded are claimed again in the same turn, and no others', async () => {
  const { claimed } = await turn()
  expect((await turn()).claimed).toEqual([])
  const next = await turn(claimed.slice(0, 1).map((each) => endedWith(each, 'delivered')))
  expect(next.claimed).toHaveLength(1)
  expect(next.claimed[0]?.delivery_id).not.toBe(claimed[0]?.delivery_id)
})

test('what is recorded and claimed never goes beyond the cap of the state that it leads to', async () => {
  const failed = async (count: number) => (await turn([], { cap: count })).claimed.map((each) => endedWith(each, 'failed'))
  expect(await turn(await failed(3), { cap: 5 })).toMatchObject({ endpoint: { consecutive_failures: 3 }, claimed: [{ tries: 1 }] })
  expect((await turn([], { cap: 5, troubledCap: 0 })).claimed).toEqual([])
})

test('a failure that is told after another claim changes nothing but its own attempt', async () => {
  const [first, second] = await claimedTwice()
  await turn([endedWith(first, 'failed')], { cap: 0 })
  expect(await row(first.delivery_id)).toEqual({ status: 'pending', attempts_count: 1, errors: ['no'], queued: 2 })
  await turn([endedWith(second, 'delivered')], { cap: 0 })
  expect(await row(first.delivery_id)).toEqual({ status: 'delivered', attempts_count: 2, errors: ['no', null], queued: null })
})

test('a delivery that is told after another claim is one, and a later failure takes nothing back', async () => {
  const [first, second] = await claimedTwice()
  await turn([endedWith(first, 'delivered')], { cap: 0 })
  expect(await row(first.delivery_id)).toMatchObject({ status: 'delivered', queued: null })
  await turn([endedWith(second, 'failed')], { cap: 0 })
  expect(await row(first.delivery_id)).toEqual({ status: 'delivered', attempts_count: 2, errors: [null, 'no'], queued: null })
})

test('telling the same twice is telling it once', async () => {
  const { claimed } = await turn()
  const ended = claimed.map((each, i) => endedWith(each, i === 0 ? 'delivered' : 'failed'))
  await turn(ended, { cap: 0 })
  const once = await Promise.all(claimed.map(({ delivery_id }) => row(delivery_id)))
  await turn(ended, { cap: 0 })
  expect(await Promise.all(claimed.map(({ delivery_id }) => row(delivery_id)))).toEqual(once)
})

describe('a turn whose plans are kept', () => {
  const record = async (tx: Queryable, claimed: readonly Claimed[]) =>
    (
      await turn(
        claimed.map((each) => endedWith(each, 'delivered')),
        {},
        tx,
      )
    ).claimed

  test('touches no week of deliveries and events but those of what it is about: others may be dropped meanwhile', async () => {
    const locked = await database.db.tx(async (tx) => {
      let claimed = (await turn([], {}, tx)).claimed
      for (let i = 0; i < 2; i++) claimed = await record(tx, claimed)
      return tx.query<{ name: string }>(
        `select distinct relname as name from pg_locks join pg_class c on c.oid = relation
         where pid = pg_backend_pid() and locktype = 'relation' and relkind = 'r' and relname ~ '^(events|webhook_deliveries|webhook_attempts)_' order by 1`,
      )
    })
    const [week] = await database.db.query<{ day: string }>("select to_char(date_trunc('week', now() at time zone 'UTC'), 'YYYYMMDD') as day")
    expect(locked.map(({ name }) => name)).toEqual(['events', 'webhook_attempts', 'webhook_deliveries'].map((table) => `${table}_p${week?.day}`))
  })

  test('reads no more when the tables are full than when they were empty', async () => {
    await database.db.query('truncate webhook_queue, webhook_deliveries, webhook_attempts, events')
    await database.db.query('vacuum analyze webhook_queue, webhook_deliveries, webhook_attempts, events')
    const businessId = await newBusiness(database.db)
    endpointId = (await newEndpoint(database.db, businessId, { url })).endpoint.id
    await happen(database.db, businessId, 10)
    const looked = await database.db.tx(async (tx) => {
      let claimed = (await turn([], {}, tx)).claimed
      claimed = await record(tx, claimed)
      const rows = async () => {
        const [read] = await tx.query<{ n: number }>(
          `select sum(seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname ~ '^(events|webhook_queue|webhook_deliveries|webhook_attempts)'`,
        )
        return read?.n ?? 0
      }
      // By another connection: this one keeps its plans.
      await happen(database.db, businessId, 3000)
      const before = await rows()
      expect(await record(tx, claimed)).toHaveLength(2)
      return (await rows()) - before
    })
    expect(looked).toBeLessThan(60)
  })
})

test('of an endpoint that does not exist there is nothing', async () => {
  endpointId = '0190a000-0000-7000-8000-000000000001'
  expect(await turn()).toEqual({ endpoint: null, claimed: [], failed: 0 })
})

describe('what was sent to an address that the endpoint had before', () => {
  const endpoint = async () => {
    const [found] = await database.db.query(
      'select consecutive_failures, failing_since, last_error, last_failed_at, last_delivered_at, not_before from webhook_endpoints where id = $1',
      [endpointId],
    )
    return found
  }
  const move = (to: string) => database.db.query('update webhook_endpoints set url = $2 where id = $1', [endpointId, to])

  test('says nothing of the endpoint when it fails, keeps its attempt, and is due at once', async () => {
    const { claimed } = await turn([], { schedule: [0] })
    const before = await endpoint()
    await move('https://new.example/')
    const failed = claimed.map((each) => endedWith(each, 'failed', { retryAfterMs: 3_600_000 }))
    const after = await turn(failed, { schedule: [0, 3_600_000], cap: 0, pauseAfterMs: 0 })
    expect(after).toMatchObject({ endpoint: { open: true, overdue: false, consecutive_failures: 0 }, failed: 0 })
    expect(await endpoint()).toEqual(before)
    for (const { delivery_id } of claimed) expect(await row(delivery_id)).toEqual({ status: 'pending', attempts_count: 1, errors: ['no'], queued: 1 })
    expect((await turn([], { cap: 10 })).claimed.map(({ delivery_id }) => delivery_id)).toEqual(
      expect.arrayContaining(claimed.map(({ delivery_id }) => delivery_id)),
    )
  })

  test('is delivered where it was taken, and its endpoint is no better for it', async () => {
    const { claimed } = await turn()
    await turn(
      claimed.slice(1).map((each) => endedWith(each, 'failed')),
      { cap: 0 },
    )
    const before = await endpoint()
    await move('https://new.example/')
    const first = claimed.slice(0, 1)
    await turn(
      first.map((each) => endedWith(each, 'delivered')),
      { cap: 0 },
    )
    expect(before).toMatchObject({ consecutive_failures: 1 })
    expect(await endpoint()).toEqual(before)
    for (const { delivery_id } of first) expect(await row(delivery_id)).toMatchObject({ status: 'delivered', queued: null })
  })

  test('was the last try of a delivery in vain: one more is made at the new address', async () => {
    const [claimed] = (await turn([], { cap: 1 })).claimed
    if (!claimed) throw new Error('nothing was due')
    await move('https://new.example/')
    const [again] = (await turn([endedWith(claimed, 'gone')], { cap: 1, schedule: [0] })).claimed.filter(
      ({ delivery_id }) => delivery_id !== claimed.delivery_id,
    )
    expect([again?.tries, await row(claimed.delivery_id)]).toEqual([1, expect.objectContaining({ status: 'pending' })])
    const next = (await turn([], { cap: 10, schedule: [0] })).claimed.find(({ delivery_id }) => delivery_id === claimed.delivery_id)
    if (!next) throw new Error('it is not due')
    await turn([{ ...endedWith(next, 'failed'), url: 'https://new.example/' }], { cap: 0, schedule: [0] })
    expect(await row(claimed.delivery_id)).toMatchObject({ status: 'failed', attempts_count: 2, queued: null })
  })
})
