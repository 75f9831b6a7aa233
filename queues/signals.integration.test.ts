import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { listenForNotifications } from '../src/platform/database/notifications.ts'
import { createLog } from '../src/platform/telemetry/log.ts'
import { createBulkhead, createPermitHolder } from '../src/webhooks/bulkhead.ts'
import { deliveryState, dueEndpoints } from '../src/webhooks/dueEndpoints.ts'
import { pauseEndpoint } from '../src/webhooks/pauseEndpoint.ts'
import { removeEndpoint } from '../src/webhooks/removeEndpoint.ts'
import { createSignals } from '../src/webhooks/signals.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { happen, newBusiness, newEndpoint, webhookContext } from '../test/support/deliveries.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { createNamedRows } from './namedRows.ts'

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

describe('due endpoints', () => {
  test('are those with due deliveries that are neither paused nor removed, independent of other backlogs', async () => {
    const ctx = webhookContext(database.db)
    const [due, other, paused, removed, later] = await Promise.all([5, 1, 2, 2, 300].map(endpointWith))
    if (!due || !other || !paused || !removed || !later) throw new Error('an endpoint is missing')
    await endpointWith(0)
    await pauseEndpoint(ctx, paused.businessId, paused.id)
    await removeEndpoint(ctx, removed.businessId, removed.id)
    await database.db.query(
      "update webhook_queue set next_attempt_at = now() + interval '1 hour' where endpoint_id = $1",
      [later.id],
    )
    expect((await dueEndpoints(database.db)).sort()).toEqual([due.id, other.id].sort())
    await database.db.query(
      "update webhook_queue set next_attempt_at = now() - interval '1 minute' where endpoint_id = $1",
      [other.id],
    )
    expect(await deliveryState(database.db)).toEqual({
      pending: 308,
      oldestDueSeconds: expect.closeTo(60, -1),
      paused: [{ reason: 'owner', endpoints: 1 }],
      strayRows: 0,
      lostTypes: 0,
    })
  })

  test('are found by one index lookup each, independent of their backlog', async () => {
    await endpointWith(3000)
    await database.db.query('analyze webhook_queue')
    const rows = await database.db.query<{ 'QUERY PLAN': string }>(
      'explain (analyze) select endpoint_id from webhook_queue order by endpoint_id limit 1',
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('Index Only Scan')
  })
})

describe('a signal', () => {
  test('names endpoints until they are taken; without a name all due endpoints are read', () => {
    const named = createNamedRows()
    // Before the first notification all are read.
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

  test('reaches the listeners of that endpoint until they unsubscribe', () => {
    const signals = createSignals()
    const received: string[] = []
    const ends = [
      signals.listen('a', () => received.push('first')),
      signals.listen('a', () => received.push('second')),
      signals.listen('b', () => received.push('other')),
    ]
    const inDelivery = [signals.ring('a')]
    ends[0]?.()
    inDelivery.push(signals.ring('a'), signals.ring('c'))
    ends[1]?.()
    inDelivery.push(signals.ring('a'))
    // Where nothing listens, a job is needed.
    expect(inDelivery).toEqual([true, true, false, false])
    expect(received).toEqual(['first', 'second', 'second'])
  })

  test('comes with each event that has an endpoint, and without a name after a lost connection', async () => {
    const stop = new AbortController()
    const received: (string | undefined)[] = []
    const done = listenForNotifications(
      database.url,
      ['cowry_deliveries'],
      (_, payload) => received.push(payload),
      createLog('test', 'silent'),
      stop.signal,
    )
    await waitFor('the first signal', async () => received.length === 1)
    expect(received).toEqual([undefined])
    await endpointWith(3)
    await waitFor('the event', async () => received.length === 2)
    await database.db.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cowry relay' and datname = current_database()",
    )
    await waitFor('the next connection', async () => received.length === 3)
    expect(received[2]).toBeUndefined()
    stop.abort()
    await done
  })
})

describe('the bulkhead', () => {
  test('has a fixed number of permits, and counts a permit released twice once', () => {
    const bulkhead = createBulkhead(2)
    const [one, two] = [bulkhead.acquire(), bulkhead.acquire()]
    expect([bulkhead.acquire(), bulkhead.used()]).toEqual([null, 2])
    one?.release()
    one?.release()
    expect(bulkhead.used()).toBe(1)
    expect([two?.isWanted(), two?.isWanted()]).toEqual([true, false])
  })

  test('gets its permit back from an endpoint that recovers, and from one that made an attempt while another waits', () => {
    const bulkhead = createBulkhead(1)
    const [one, other] = [createPermitHolder(bulkhead), createPermitHolder(bulkhead)]
    expect([one.report(true), one.mayAttempt(), one.report(true)]).toEqual([true, true, false])
    one.attempted()
    expect(one.mayAttempt()).toBe(true)
    expect([other.report(true), other.mayAttempt()]).toEqual([false, false])
    one.attempted()
    expect(one.mayAttempt()).toBe(false)
    one.release()
    const again = createPermitHolder(bulkhead)
    expect(again.report(true)).toBe(true)
    again.report(false)
    expect(bulkhead.used()).toBe(0)
  })
})
