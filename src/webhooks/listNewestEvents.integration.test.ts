import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { eventOf, happen, newBusiness, newEndpoint } from '../../test/support/deliveries.ts'
import { recordDeliveries } from '../events/recordEvents.ts'
import { newId } from '../platform/ids.ts'
import { listNewestEvents, type NewestQuery } from './listNewestEvents.ts'

let database: TestDatabase
let businessId: string
beforeAll(async () => {
  database = await createTestDatabase(12)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = await newBusiness(database.db)
})
const list = (query: Partial<NewestQuery> = {}) =>
  listNewestEvents(database, businessId, { limit: 100, ...query })
const sequences = async (query: Partial<NewestQuery> = {}) =>
  (await list(query)).events.map(({ sequence }) => sequence)

test('events come newest first, page by page, each once; those of another business never', async () => {
  expect(await list()).toEqual({ events: [], nextBefore: null })
  await happen(database.db, await newBusiness(database.db), 2)
  await happen(database.db, businessId, 5)
  const first = await list({ limit: 2 })
  expect(first).toMatchObject({ events: [{ sequence: 5 }, { sequence: 4 }], nextBefore: 4 })
  expect(await list({ limit: 2, before: 4 })).toMatchObject({
    events: [{ sequence: 3 }, { sequence: 2 }],
    nextBefore: 2,
  })
  expect(await list({ limit: 2, before: 2 })).toMatchObject({ events: [{ sequence: 1 }], nextBefore: null })
  expect(await list({ limit: 5 })).toMatchObject({ nextBefore: null })
})

test('an event has the number of its deliveries in each state', async () => {
  for (let i = 0; i < 3; i++) await newEndpoint(database.db, businessId)
  const ids = await happen(database.db, businessId)
  await happen(database.db, businessId)
  await database.db.query("update webhook_deliveries set status = 'failed' where id = $1", [ids[0]])
  await database.db.query("update webhook_deliveries set status = 'delivered' where id = $1", [ids[1]])
  const { events } = await list()
  expect(events.map(({ deliveries }) => deliveries)).toEqual([
    { pending: 3, delivered: 0, failed: 0 },
    { pending: 1, delivered: 1, failed: 1 },
  ])
  expect(await sequences({ status: 'failed' })).toEqual([1])
  expect(await sequences({ status: 'pending' })).toEqual([2, 1])
})

test('an event that waits for the first endpoint of its business has no delivery in any state', async () => {
  await happen(database.db, businessId)
  const stored = await database.db.query(
    'select 1 from webhook_deliveries where business_id = $1 and endpoint_id is null',
    [businessId],
  )
  expect(stored).toHaveLength(1)
  expect((await list()).events.map(({ deliveries }) => deliveries)).toEqual([
    { pending: 0, delivered: 0, failed: 0 },
  ])
  expect(await sequences({ status: 'pending' })).toEqual([])
})

test('types, topics and times narrow the list', async () => {
  await happen(database.db, businessId, 1, 'session.created')
  await happen(database.db, businessId, 1, 'session.paid')
  await happen(database.db, businessId, 1, 'payout.created')
  expect(await sequences({ type: 'session.*' })).toEqual([2, 1])
  expect(await sequences({ type: 'session.paid' })).toEqual([2])
  const [middle] = (await list({ type: 'session.paid' })).events
  const at = new Date(middle?.timestamp ?? '')
  expect(await sequences({ since: at })).toContain(2)
  expect(await sequences({ until: at })).not.toContain(2)
  expect(await sequences({ until: new Date(0) })).toEqual([])
})

test('an event names what it is about', async () => {
  const [sessionId, walletId, endpointId, hostId] = [newId(), newId(), newId(), newId()]
  await database.db.tx((tx) =>
    recordDeliveries(tx, businessId, [
      eventOf('session.paid', {}, { id: sessionId, reference: 'INV-7' }),
      eventOf('transaction.detected', {}, { sessionId }),
      eventOf('wallet.low_balance', {}, { walletId }),
      eventOf('endpoint.paused', {}, { endpoint: { id: endpointId } }),
      eventOf('delivery.failed', {}, { endpoint: { id: endpointId } }),
      eventOf('delivery.failed', {}, { endpoint: { id: hostId, callback: true } }),
    ]),
  )
  expect((await list()).events.map(({ object }) => object).reverse()).toEqual([
    { kind: 'session', id: sessionId, reference: 'INV-7' },
    { kind: 'session', id: sessionId, reference: null },
    { kind: 'wallet', id: walletId, reference: null },
    { kind: 'endpoint', id: endpointId, reference: null },
    { kind: 'endpoint', id: endpointId, reference: null },
    { kind: 'callback_host', id: hostId, reference: null },
  ])
})
