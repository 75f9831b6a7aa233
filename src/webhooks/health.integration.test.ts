import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import {
  deliveryContext,
  happen,
  newBusiness,
  newEndpoint,
  webhookContext,
} from '../../test/support/deliveries.ts'
import { startServer, type TestServer } from '../../test/support/httpServer.ts'
import type { EventType } from '../events/recordEvents.ts'
import { changeEndpoint } from './changeEndpoint.ts'
import { type DeliveryContext, deliverDue } from './deliverDue.ts'
import { getEndpoint } from './listEndpoints.ts'
import { maintain } from './maintain.ts'
import { resumeEndpoint } from './pauseEndpoint.ts'
import { removeEndpoint } from './removeEndpoint.ts'
import { reportHealth } from './reportHealth.ts'

const never = new AbortController().signal
const days = 24 * 3600
/** Gives a delivery up after its first attempt. */
const once = { schedule: [0], pauseAfterMs: 3 * days * 1000 }

let database: TestDatabase
let server: TestServer
let businessId: string
let endpointId: string
let ctx: DeliveryContext & { close(): Promise<void> }

beforeAll(async () => {
  database = await createTestDatabase(5)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  server = await startServer()
  businessId = await newBusiness(database.db)
  endpointId = (await newEndpoint(database.db, businessId, { url: `${server.url}/hooks` })).endpoint.id
  ctx = deliveryContext(database.db, once)
})
afterEach(() => Promise.all([server.close(), ctx.close()]))

/** Delivers events, all with one answer. */
async function deliver(status: number, events = 1, type?: EventType): Promise<void> {
  server.answer = (response) => void response.writeHead(status).end()
  await happen(database.db, businessId, events, type)
  await deliverDue(ctx, endpointId, never)
}
/** Moves everything that the endpoint remembers into the past. */
const pass = (seconds: number) =>
  database.db.query(
    `update webhook_endpoints set failing_since = failing_since - $2 * interval '1 s', failing_spell_at = failing_spell_at - $2 * interval '1 s',
       not_before = not_before - $2 * interval '1 s' where id = $1`,
    [endpointId, seconds],
  )
/** Lets an hour pass since the endpoint was last reported. */
const passHour = () =>
  database.db.query(
    "update webhook_endpoints set reported_at = reported_at - interval '61 minutes' where id = $1",
    [endpointId],
  )
const health = async () => (await getEndpoint(webhookContext(database.db), businessId, endpointId)).health
/** Events about endpoints, with the endpoints that get them. */
const recorded = async () => {
  const rows = await database.db.query<{ type: string; data: object; to: string[] }>(
    `select e.type, e.data, array(select d.endpoint_id::text from webhook_deliveries d where d.event_id = e.id) as "to"
     from events e where e.business_id = $1 and e.type in ('delivery.failed', 'endpoint.recovered') order by e.sequence`,
    [businessId],
  )
  return rows
}
const maintained = () => maintain({ db: database.db, log: ctx.log, retentionDays: 90 })
const paused = async () =>
  (await getEndpoint(webhookContext(database.db), businessId, endpointId)).pausedReason

describe('the pause of a failing endpoint', () => {
  test('two failures days apart, with a success between, do not pause an endpoint', async () => {
    await deliver(500)
    await pass(2 * days)
    await deliver(204)
    await pass(2 * days)
    await deliver(500)
    expect(await paused()).toBeNull()
  })

  test('two failures days apart, with nothing between, do not pause an endpoint', async () => {
    await deliver(500)
    await pass(4 * days)
    await deliver(500)
    expect(await paused()).toBeNull()
  })

  test('two bursts of failures days apart do not pause an endpoint', async () => {
    await deliver(500, 20)
    await pass(4 * days)
    await deliver(500, 20)
    expect(await paused()).toBeNull()
  })

  test('failures all along for three days pause an endpoint', async () => {
    for (let at = 0; at < 3; at += 0.5) {
      await deliver(500)
      expect(await paused()).toBeNull()
      await pass(0.5 * days)
    }
    await deliver(500)
    expect(await paused()).toBe('failing')
  })
})

describe('a delivery that is given up', () => {
  const lost = (type: string, count: number) => ({
    type,
    count,
    lastError: 'status 500',
    deliveryId: expect.any(String),
  })

  test('is reported to the other endpoints that take it, and not to the one that failed', async () => {
    const other = (
      await newEndpoint(database.db, businessId, {
        url: `${server.url}/other`,
        eventTypes: ['delivery.failed'],
      })
    ).endpoint.id
    await newEndpoint(database.db, businessId, { url: `${server.url}/third`, eventTypes: ['session.*'] })
    await deliver(500, 1, 'session.paid')
    expect(await recorded()).toEqual([
      {
        type: 'delivery.failed',
        data: {
          endpoint: { id: endpointId, description: '', host: new URL(server.url).host },
          count: 1,
          types: [lost('session.paid', 1)],
        },
        to: [other],
      },
    ])
  })

  test('is listed as an event, and goes nowhere, if the business has no other endpoint', async () => {
    await deliver(500)
    expect(await recorded()).toMatchObject([{ type: 'delivery.failed', to: [] }])
  })

  test('is counted by one event: the first at once, those after it once an hour', async () => {
    await deliver(500, 1, 'session.paid')
    await deliver(500, 30, 'session.paid')
    await deliver(500, 4, 'session.late')
    await maintained()
    expect(await recorded()).toHaveLength(1)
    await passHour()
    await maintained()
    await maintained()
    await passHour()
    await maintained()
    expect((await recorded()).map(({ data }) => data)).toMatchObject([
      { count: 1, types: [lost('session.paid', 1)] },
      { count: 34, types: [lost('session.late', 4), lost('session.paid', 30)] },
    ])
  })

  test('by a 410 is counted with all that waited', async () => {
    server.answer = (response) => void response.writeHead(410).end()
    await happen(database.db, businessId, 20)
    await deliverDue(ctx, endpointId, never)
    expect(await recorded()).toMatchObject([
      { data: { count: 20, types: [{ type: 'transaction.detected', count: 20, lastError: 'status 410' }] } },
    ])
  })

  test('is not reported if it reported something itself: reports of two dead endpoints end', async () => {
    const other = (await newEndpoint(database.db, businessId, { url: `${server.url}/other` })).endpoint.id
    await deliver(500)
    await deliverDue(ctx, other, never)
    for (let round = 0; round < 4; round++) {
      await database.db.query(
        "update webhook_endpoints set reported_at = reported_at - interval '61 minutes', not_before = null where business_id = $1",
        [businessId],
      )
      await maintained()
      for (const id of [endpointId, other]) await deliverDue(ctx, id, never)
    }
    const counts = (await recorded()).map(({ data }) => (data as { count: number }).count)
    expect(counts).toEqual([1, 1])
  })

  test('is reported by maintenance if the process ended after it was stored', async () => {
    const ends: DeliveryContext = {
      ...ctx,
      db: { ...database.db, tx: () => Promise.reject(new Error('ended')) },
    }
    server.answer = (response) => void response.writeHead(500).end()
    await happen(database.db, businessId, 2)
    await deliverDue(ends, endpointId, never)
    expect(await recorded()).toEqual([])
    await maintained()
    expect(await recorded()).toMatchObject([{ data: { count: 2 } }])
  })

  test('is reported once by two processes', async () => {
    await happen(database.db, businessId, 3)
    const ends: DeliveryContext = {
      ...ctx,
      db: { ...database.db, tx: () => Promise.reject(new Error('ended')) },
    }
    server.answer = (response) => void response.writeHead(500).end()
    await deliverDue(ends, endpointId, never)
    await Promise.all([1, 2, 3].map(() => reportHealth(database, endpointId)))
    expect(await recorded()).toMatchObject([{ data: { count: 3 } }])
  })

  test('of a removed endpoint is not reported: its owner removed it', async () => {
    await happen(database.db, businessId, 3)
    await removeEndpoint(webhookContext(database.db), businessId, endpointId)
    await maintained()
    expect(await recorded()).toEqual([])
  })
})

describe('an endpoint that works again', () => {
  test('is reported once, with the types that had been given up', async () => {
    const other = (
      await newEndpoint(database.db, businessId, { url: `${server.url}/other`, eventTypes: ['endpoint.*'] })
    ).endpoint.id
    await deliver(500, 1, 'session.paid')
    await deliver(204, 1, 'session.late')
    expect(await recorded()).toHaveLength(1)
    await deliver(204, 2, 'session.paid')
    await deliver(204, 1, 'session.paid')
    expect((await recorded()).slice(1)).toEqual([
      {
        type: 'endpoint.recovered',
        data: {
          endpoint: expect.objectContaining({ id: endpointId }),
          pausedReason: null,
          types: ['session.paid'],
        },
        to: [other],
      },
    ])
  })

  test('is not reported if nothing was given up', async () => {
    const retried = { ...ctx, schedule: [0, 0, 0] }
    let failures = 2
    server.answer = (response) => void response.writeHead(failures-- > 0 ? 500 : 204).end()
    await happen(database.db, businessId)
    await deliverDue(retried, endpointId, never)
    expect(await recorded()).toEqual([])
  })

  test.each(['failing', 'gone'])(
    'after Cowry paused it as %s is reported at its first success, not when it is resumed',
    async (reason) => {
      if (reason === 'gone') await deliver(410)
      else {
        for (let n = 0; n < 5; n++) {
          await deliver(500)
          await pass(0.8 * days)
        }
      }
      expect(await paused()).toBe(reason)
      const before = (await recorded()).length
      await resumeEndpoint(webhookContext(database.db), businessId, endpointId)
      expect(await recorded()).toHaveLength(before)
      await deliver(204, 3)
      await deliver(204, 3)
      expect((await recorded()).slice(before)).toMatchObject([
        { type: 'endpoint.recovered', data: { pausedReason: reason, types: ['transaction.detected'] } },
      ])
    },
  )
})

describe('the failures of an endpoint', () => {
  test('are shown by event type, while other types are delivered', async () => {
    server.answer = (response, { body }) =>
      void response.writeHead(JSON.parse(body).type === 'session.paid' ? 500 : 204).end()
    const retried = { ...ctx, schedule: [0, 0] }
    for (let n = 0; n < 3; n++) {
      await happen(database.db, businessId, 1, 'session.paid')
      await happen(database.db, businessId, 3, 'session.late')
      await deliverDue(retried, endpointId, never)
    }
    const { failingTypes, lastDeliveredAt } = await health()
    expect(lastDeliveredAt).not.toBeNull()
    expect(failingTypes).toEqual([
      {
        type: 'session.paid',
        failingSince: expect.any(String),
        consecutiveFailures: 6,
        lastFailedAt: expect.any(String),
        lastError: 'status 500',
        givenUp: 3,
      },
    ])
    expect(await paused()).toBeNull()
    await deliver(204, 1, 'session.paid')
    expect((await health()).failingTypes).toEqual([])
  })

  test('of a batch count by their order: a success between them starts again', async () => {
    let n = 0
    server.answer = (response) => void response.writeHead(++n === 3 ? 204 : 500).end()
    await happen(database.db, businessId, 5)
    await deliverDue({ ...ctx, inFlight: 1 }, endpointId, never)
    expect((await health()).failingTypes).toMatchObject([{ consecutiveFailures: 2, givenUp: 2 }])
  })

  test('end with another URL', async () => {
    await deliver(500)
    await changeEndpoint(webhookContext(database.db), businessId, endpointId, { url: `${server.url}/new` })
    expect((await health()).failingTypes).toMatchObject([
      { consecutiveFailures: 0, failingSince: null, givenUp: 1 },
    ])
    await deliver(204)
    expect((await health()).failingTypes).toEqual([])
  })
})
