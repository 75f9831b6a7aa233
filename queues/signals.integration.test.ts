import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createLog } from '../src/platform/log.ts'
import { createBulkhead, passThrough } from '../src/webhooks/bulkhead.ts'
import { deliveryState, dueEndpoints } from '../src/webhooks/dueEndpoints.ts'
import { pauseEndpoint } from '../src/webhooks/pauseEndpoint.ts'
import { removeEndpoint } from '../src/webhooks/removeEndpoint.ts'
import { createSignals } from '../src/webhooks/signals.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { happen, newBusiness, newEndpoint, webhookContext } from '../test/support/deliveries.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { listenForNotifications } from './notifications.ts'
import { createNamedEndpoints } from './relay.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const endpointWith = async (queued: number): Promise<{ businessId: string; id: string }> => {
  const businessId = await newBusiness(database.db)
  const { endpoint } = await newEndpoint(database.db, businessId)
  await happen(database.db, businessId, queued)
  return { businessId, id: endpoint.id }
}

describe('endpoints that are due', () => {
  test('are those with something due that are neither paused nor removed, whatever others have queued', async () => {
    const ctx = webhookContext(database.db)
    const [due, other, paused, removed, later] = await Promise.all([5, 1, 2, 2, 300].map(endpointWith))
    if (!due || !other || !paused || !removed || !later) throw new Error('none')
    await endpointWith(0)
    await pauseEndpoint(ctx, paused.businessId, paused.id)
    await removeEndpoint(ctx, removed.businessId, removed.id)
    await database.db.query("update webhook_queue set next_attempt_at = now() + interval '1 hour' where endpoint_id = $1", [later.id])
    expect((await dueEndpoints(database.db)).sort()).toEqual([due.id, other.id].sort())
    await database.db.query("update webhook_queue set next_attempt_at = now() - interval '1 minute' where endpoint_id = $1", [other.id])
    expect(await deliveryState(database.db)).toEqual({
      pending: 308,
      oldestDueSeconds: expect.closeTo(60, -1),
      paused: [{ reason: 'owner', endpoints: 1 }],
      strayRows: 0,
    })
  })

  test('are found by one look each, however much waits for them', async () => {
    await endpointWith(3000)
    await database.db.query('analyze webhook_queue')
    const rows = await database.db.query<{ 'QUERY PLAN': string }>(
      'explain (analyze) select endpoint_id from webhook_queue order by endpoint_id limit 1',
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Only Scan')
  })
})

describe('a wake', () => {
  test('names endpoints until they are taken; where it names none, all are looked at', () => {
    const named = createNamedEndpoints()
    // Nothing was heard before.
    expect(named.take()).toBeNull()
    expect(named.take()).toEqual([])
    named.note('a')
    named.note('b')
    named.note('a')
    expect(named.take()).toEqual(['a', 'b'])
    named.note('a')
    named.note(undefined)
    expect(named.take()).toBeNull()
    expect(named.take()).toEqual([])
  })

  test('is heard by those who listen for that endpoint, while they do', () => {
    const signals = createSignals()
    const heard: string[] = []
    const ends = [
      signals.listen('a', () => heard.push('first')),
      signals.listen('a', () => heard.push('second')),
      signals.listen('b', () => heard.push('other')),
    ]
    signals.ring('a')
    ends[0]?.()
    signals.ring('a')
    signals.ring('c')
    expect(heard).toEqual(['first', 'second', 'second'])
  })

  test('comes with each event that has an endpoint, and again without a name when the connection was lost', async () => {
    const stop = new AbortController()
    const heard: (string | undefined)[] = []
    const done = listenForNotifications(
      database.url,
      ['cowry_deliveries'],
      (_, payload) => heard.push(payload),
      createLog('test', 'silent'),
      stop.signal,
    )
    await waitFor('the first look', async () => heard.length === 1)
    expect(heard).toEqual([undefined])
    await endpointWith(3)
    await waitFor('the event', async () => heard.length === 2)
    await database.db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cowry relay' and datname = current_database()",
    )
    await waitFor('the next connection', async () => heard.length === 3)
    expect(heard[2]).toBeUndefined()
    stop.abort()
    await done
  })
})

describe('the lane', () => {
  test('has so many places, and one that is given back twice is one', () => {
    const bulkhead = createBulkhead(2)
    const [one, two] = [bulkhead.enter(), bulkhead.enter()]
    expect([bulkhead.enter(), bulkhead.used()]).toEqual([null, 2])
    one?.leave()
    one?.leave()
    expect(bulkhead.used()).toBe(1)
    expect([two?.wanted(), two?.wanted()]).toEqual([true, false])
  })

  test('is left by whoever recovers, and by whoever made an attempt while another waits', () => {
    const bulkhead = createBulkhead(1)
    const [one, other] = [passThrough(bulkhead), passThrough(bulkhead)]
    expect([one.judge(true), one.open(), one.judge(true)]).toEqual([true, true, false])
    one.attempted()
    expect(one.open()).toBe(true)
    expect([other.judge(true), other.open()]).toEqual([false, false])
    one.attempted()
    expect(one.open()).toBe(false)
    one.leave()
    const again = passThrough(bulkhead)
    expect(again.judge(true)).toBe(true)
    again.judge(false)
    expect(bulkhead.used()).toBe(0)
  })
})
