import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import {
  deliveryContext,
  happen,
  newBusiness,
  newEndpoint,
  webhookContext,
} from '../../test/support/deliveries.ts'
import { type ReceivedRequest, startServer, type TestServer } from '../../test/support/httpServer.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { listEvents } from '../events/listEvents.ts'
import { createBulkhead } from './bulkhead.ts'
import { changeEndpoint } from './changeEndpoint.ts'
import { claimBatch } from './claimBatch.ts'
import { type DeliveryContext, deliverDue } from './deliverDue.ts'
import { dueEndpoints } from './dueEndpoints.ts'
import { getDelivery } from './getDelivery.ts'
import { getEndpoint } from './listEndpoints.ts'
import { pauseEndpoint, resumeEndpoint } from './pauseEndpoint.ts'
import { removeEndpoint } from './removeEndpoint.ts'
import { replayDelivery } from './replayDelivery.ts'

let database: TestDatabase
let server: TestServer
let businessId: string
let endpointId: string
let contexts: { close(): Promise<void> }[] = []
const never = new AbortController().signal

beforeAll(async () => {
  database = await createTestDatabase(20)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  server = await startServer()
  businessId = await newBusiness(database.db)
  endpointId = (await newEndpoint(database.db, businessId, { url: `${server.url}/hooks` })).endpoint.id
})
afterEach(async () => {
  await server.close()
  await Promise.all(contexts.map((each) => each.close()))
  contexts = []
})

const worker = (options: Partial<DeliveryContext> = {}) => {
  const ctx = deliveryContext(database.db, options)
  contexts.push(ctx)
  return ctx
}
const deliver = (ctx: DeliveryContext = worker(), id = endpointId) => deliverDue(ctx, id, never)
const sequenceOf = ({ body }: ReceivedRequest): number => JSON.parse(body).sequence
const statuses = async () => {
  const rows = await database.db.query<{ status: string; n: number }>(
    'select status, count(*)::int as n from webhook_deliveries where business_id = $1 group by 1',
    [businessId],
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}
const queue = () =>
  database.db.query<{ attempts: number; tries: number; wait: number; claimed_until: Date | null }>(
    'select attempts, tries, extract(epoch from next_attempt_at - now())::float as wait, claimed_until from webhook_queue where endpoint_id = $1',
    [endpointId],
  )
const health = async () => {
  const { health, status, pausedReason } = await getEndpoint(
    webhookContext(database.db),
    businessId,
    endpointId,
  )
  return { ...health, status, pausedReason }
}
/** Counts concurrent requests, and answers each when `answer` resolves. */
function gauged(answer: (request: ReceivedRequest) => Promise<number>) {
  const seen = { open: 0, max: 0 }
  server.answer = async (response, request) => {
    seen.max = Math.max(seen.max, ++seen.open)
    const status = await answer(request)
    seen.open--
    response.writeHead(status).end()
  }
  return seen
}
const latch = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

describe('due deliveries', () => {
  test('are made once, with their attempt, and the queue is empty', async () => {
    const ids = await happen(database.db, businessId, 30)
    await deliver()
    expect(server.heard.map(sequenceOf).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    )
    expect(await statuses()).toEqual({ delivered: 30 })
    expect(await queue()).toEqual([])
    const details = await getDelivery(database, businessId, ids[0] ?? '')
    expect(details).toMatchObject({
      status: 'delivered',
      attemptsCount: 1,
      nextAttemptAt: null,
      deliveredAt: expect.any(String),
    })
    expect(details.attempts).toEqual([
      {
        number: 1,
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        responseStatus: 200,
        responseBody: '',
        error: null,
      },
    ])
    expect(
      JSON.parse(server.heard.find((each) => each.headers['webhook-id'] === details.eventId)?.body ?? ''),
    ).toEqual({
      type: 'transaction.detected',
      timestamp: details.event.timestamp,
      version: 1,
      sequence: details.event.sequence,
      data: details.event.data,
    })
  })

  test('are recorded together where no more is due: one call claims them, and one stores what came of them', async () => {
    const calls: number[] = []
    const { db } = database
    const counting = {
      ...db,
      query<R extends object>(text: string, values?: unknown[]) {
        if (text.includes('take_delivery_turn')) calls[calls.length - 1] = (calls.at(-1) ?? 0) + 1
        return db.query<R>(text, values)
      },
    }
    // Some of them may take longer than results wait: on a busy machine, many.
    while (calls.length < 8 || (Math.min(...calls) > 2 && calls.length < 100)) {
      await happen(db, businessId, 9)
      calls.push(0)
      await deliver(worker({ db: counting, inFlight: 2 }))
    }
    expect(await statuses()).toEqual({ delivered: 9 * calls.length })
    expect(Math.min(...calls)).toBe(2)
  })

  test('whose event is no longer stored are given up; the others are sent', async () => {
    const ids = await happen(database.db, businessId, 3)
    await database.db.query(
      'delete from events where id = (select event_id from webhook_deliveries where id = $1)',
      [ids[1]],
    )
    await deliver()
    expect([server.heard.map(sequenceOf).sort(), await queue()]).toEqual([[1, 3], []])
  })

  test('arrive in sequence if no receiver is slow and one is sent at a time', async () => {
    await happen(database.db, businessId, 10)
    await deliver(worker({ inFlight: 1 }))
    expect(server.heard.map(sequenceOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('never exceed the cap of concurrent attempts, also with two workers at once', async () => {
    await happen(database.db, businessId, 60)
    const seen = gauged(async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
      return 204
    })
    await Promise.all([
      deliver(worker({ inFlight: 4 })),
      deliver(worker({ inFlight: 4 })),
      deliver(worker({ inFlight: 4 })),
    ])
    expect(seen.max).toBeLessThanOrEqual(4)
    expect(seen.max).toBeGreaterThan(1)
    expect(server.heard).toHaveLength(60)
    expect(await statuses()).toEqual({ delivered: 60 })
  })

  test('do not wait for a slow attempt, which holds only its own slot', async () => {
    await happen(database.db, businessId, 41)
    const slow = latch()
    const seen = gauged(async (request) => {
      if (sequenceOf(request) === 1) await slow.opened
      return 204
    })
    const done = deliver(worker({ inFlight: 2 }))
    await waitFor('all others', async () => (await statuses()).delivered === 40)
    expect(seen.open).toBe(1)
    slow.open()
    await done
    const [row] = await database.db.query<{ overlap: number }>(
      `select count(*)::int as overlap from webhook_attempts a, webhook_attempts slow
       where a.started_at > slow.started_at and a.started_at < slow.started_at + slow.duration_ms * interval '1 millisecond'
         and slow.delivery_id = (select id from webhook_deliveries where business_id = $1 order by id limit 1)
         and a.delivery_id in (select id from webhook_deliveries where business_id = $1)`,
      [businessId],
    )
    expect(row?.overlap).toBeGreaterThanOrEqual(38)
  })

  test('that arrive during a slow attempt are sent at their signal', async () => {
    await happen(database.db, businessId)
    const slow = latch()
    gauged(async (request) => {
      if (sequenceOf(request) === 1) await slow.opened
      return 204
    })
    const ctx = worker({ inFlight: 2, timeoutMs: 60_000 })
    const done = deliver(ctx)
    await waitFor('the slow one', async () => server.heard.length === 1)
    // Without the signal each waits for a check, which comes a second after the delivery before it. On a busy
    // machine some are slow with it, too.
    const times: number[] = []
    while (times.length === 0 || (Math.min(...times) >= 700 && times.length < 5)) {
      await happen(database.db, businessId)
      const from = performance.now()
      ctx.signals.ring(endpointId)
      await waitFor('the other', async () => (await statuses()).delivered === times.length + 1)
      times.push(performance.now() - from)
    }
    expect(Math.min(...times)).toBeLessThan(700)
    slow.open()
    await done
  })

  test('that arrive while the last claim is answered are sent at their signal, which needs no job', async () => {
    let isLast = true
    const db: DeliveryContext['db'] = {
      ...database.db,
      async query<R extends object>(text: string, values?: unknown[]) {
        const rows = await database.db.query<R>(text, values)
        if (isLast) {
          isLast = false
          await happen(database.db, businessId)
          ctx.signals.ring(endpointId)
        }
        return rows
      },
    }
    const ctx = worker({ db })
    await deliver(ctx)
    expect(await statuses()).toEqual({ delivered: 1 })
  })

  test('are left alone when the process stops: running attempts are finished and recorded', async () => {
    await happen(database.db, businessId, 20)
    const hold = latch()
    gauged(async () => {
      await hold.opened
      return 204
    })
    const stop = new AbortController()
    const done = deliverDue(worker({ inFlight: 3 }), endpointId, stop.signal)
    await waitFor('three', async () => server.heard.length === 3)
    stop.abort()
    hold.open()
    await done
    expect(await statuses()).toEqual({ delivered: 3, pending: 17 })
  })
})

describe('a failure', () => {
  test('is retried by the schedule, and given up at its end', async () => {
    server.answer = (response) => void response.writeHead(500).end('no')
    const [id = ''] = await happen(database.db, businessId)
    await deliver(worker({ schedule: [0, 0, 0], bulkhead: createBulkhead(1) }))
    const details = await getDelivery(database, businessId, id)
    expect(details).toMatchObject({
      status: 'failed',
      attemptsCount: 3,
      deliveredAt: null,
      nextAttemptAt: null,
    })
    expect(details.attempts.map(({ number, error }) => [number, error])).toEqual(
      [1, 2, 3].map((n) => [n, 'status 500']),
    )
    expect(await health()).toMatchObject({
      consecutiveFailures: 3,
      lastError: 'status 500',
      lastFailedAt: expect.any(String),
      waiting: 0,
      status: 'active',
    })
  })

  const dueNow = async () => {
    await database.db.query('update webhook_queue set next_attempt_at = now() where endpoint_id = $1', [
      endpointId,
    ])
    await database.db.query('update webhook_endpoints set not_before = null where id = $1', [endpointId])
  }

  test('with a Retry-After delays all deliveries of the endpoint, and uses up no try of them', async () => {
    server.answer = (response) => void response.writeHead(429, { 'retry-after': '3600' }).end()
    const ids = await happen(database.db, businessId, 50)
    const [first = '', last = ''] = [ids[0], ids[49]]
    await deliver(worker({ inFlight: 2 }))
    expect(server.heard.length).toBeLessThanOrEqual(3)
    expect(await dueEndpoints(database.db)).not.toContain(endpointId)
    // Also of a delivery never attempted, which is due by itself.
    for (const id of [first, last]) {
      const { nextAttemptAt } = await getDelivery(database, businessId, id)
      expect((Date.parse(nextAttemptAt ?? '') - Date.now()) / 1000).toBeCloseTo(3600, -2)
    }
    const heard = server.heard.length
    await deliver(worker({ inFlight: 2 }))
    expect(server.heard.length).toBe(heard)
    server.answer = (response) => void response.end()
    await pauseEndpoint(webhookContext(database.db), businessId, endpointId)
    await resumeEndpoint(webhookContext(database.db), businessId, endpointId)
    await deliver()
    expect(await statuses()).toEqual({ delivered: 50 })
  })

  test('again and again delays the endpoint longer each time, until one success', async () => {
    server.answer = (response) => void response.writeHead(500).end()
    await happen(database.db, businessId, 20)
    const pauses: number[] = []
    for (let failures = 1; failures <= 8; failures++) {
      await dueNow()
      await deliver(worker({ inFlight: 1, stepMs: 10_000 }))
      const [row] = await database.db.query<{ wait: number; n: number }>(
        'select coalesce(extract(epoch from not_before - now()), 0)::float as wait, consecutive_failures as n from webhook_endpoints where id = $1',
        [endpointId],
      )
      if (row && row.n >= 4) pauses.push(Math.round(row.wait / 10) * 10)
    }
    expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
    expect([pauses[0], pauses.at(-1)]).toEqual([10, 60])
    server.answer = (response) => void response.end()
    await dueNow()
    await deliver()
    const [row] = await database.db.query('select not_before from webhook_endpoints where id = $1', [
      endpointId,
    ])
    expect(row).toEqual({ not_before: null })
  })

  test('that was not recorded does not use up the schedule', async () => {
    await happen(database.db, businessId)
    for (let crash = 0; crash < 9; crash++) {
      await claimBatch(database.db, endpointId, [], {
        ...worker(),
        cap: 1,
        troubledCap: 1,
        hostCap: 1000,
        deadlineMs: 1000,
      })
      await database.db.query(
        "update webhook_queue set next_attempt_at = now() - interval '1 s', claimed_until = now() - interval '1 s' where endpoint_id = $1",
        [endpointId],
      )
    }
    server.answer = (response) => void response.writeHead(500).end()
    await deliver(worker({ schedule: [0, 60_000] }))
    expect(await queue()).toMatchObject([{ attempts: 10, tries: 1 }])
  })

  test('waits as long as the schedule or the receiver requests', async () => {
    server.answer = (response) => void response.writeHead(503, { 'retry-after': '7200' }).end()
    await happen(database.db, businessId)
    await deliver(worker({ schedule: [0, 60_000] }))
    expect(await queue()).toEqual([
      { attempts: 1, tries: 1, wait: expect.closeTo(7200, -1), claimed_until: null },
    ])
    await dueNow()
    server.answer = (response) => void response.writeHead(500).end()
    await deliver(worker({ schedule: [0, 60_000, 100_000] }))
    const [row] = await queue()
    expect(row?.wait).toBeGreaterThan(98)
    expect(row?.wait).toBeLessThanOrEqual(120)
  })

  test('three in a row leave one attempt at a time; one success restores the whole cap', async () => {
    await happen(database.db, businessId, 40)
    let failures = 8
    const open: number[] = []
    let under = 0
    server.answer = async (response) => {
      open.push(++under)
      const status = failures-- > 0 ? 500 : 204
      await new Promise((resolve) => setTimeout(resolve, 10))
      under--
      response.writeHead(status).end()
    }
    await deliver(worker({ inFlight: 4 }))
    expect(await statuses()).toEqual({ delivered: 40 })
    // At most two of the first claims had not seen three failures.
    expect(Math.max(...open.slice(8, 9))).toBe(1)
    expect(Math.max(...open.slice(9))).toBeGreaterThan(1)
    expect(await health()).toMatchObject({ consecutiveFailures: 0, failingSince: null })
  })

  test('of a failing endpoint takes a permit of the bulkhead; without one the endpoint is left for later', async () => {
    await database.db.query(
      'update webhook_endpoints set consecutive_failures = 3, failing_since = now() where id = $1',
      [endpointId],
    )
    await happen(database.db, businessId)
    const bulkhead = createBulkhead(1)
    const held = bulkhead.acquire()
    await deliver(worker({ bulkhead }))
    expect(server.heard).toHaveLength(0)
    held?.release()
    await deliver(worker({ bulkhead }))
    expect(server.heard).toHaveLength(1)
    expect(bulkhead.used()).toBe(0)
  })

  test('of a failing endpoint passes its permit on after each attempt', async () => {
    server.answer = (response) => void response.writeHead(500).end()
    const other = (await newEndpoint(database.db, businessId, { url: `${server.url}/other` })).endpoint.id
    await database.db.query(
      'update webhook_endpoints set consecutive_failures = 3, failing_since = now() where business_id = $1',
      [businessId],
    )
    await happen(database.db, businessId, 50)
    const ctx = worker({ bulkhead: createBulkhead(1), schedule: [0] })
    const first = latch()
    server.answer = async (response) => {
      await first.opened
      response.writeHead(500).end()
    }
    const one = deliver(ctx)
    await waitFor('the first attempt', async () => server.heard.length === 1)
    await deliver(ctx, other)
    first.open()
    await one
    expect(server.heard.map(({ url }) => url)).toEqual(['/hooks'])
    await deliver(ctx, other)
    const sent = server.heard.filter(
      ({ url, body }) => url === '/other' && JSON.parse(body).type === 'transaction.detected',
    )
    expect(sent).toHaveLength(50)
  })
})

describe('an attempt that was never recorded', () => {
  test('is repeated when its claim has expired, and is listed as interrupted', async () => {
    const [id = ''] = await happen(database.db, businessId)
    await database.db.query(
      "update webhook_queue set attempts = 1, tries = 1, claimed_until = now() - interval '1 second', next_attempt_at = now() - interval '1 second' where delivery_id = $1",
      [id],
    )
    await deliver()
    const details = await getDelivery(database, businessId, id)
    expect(details).toMatchObject({ status: 'delivered', attemptsCount: 2 })
    expect(details.attempts).toMatchObject([
      { number: 1, durationMs: null, error: expect.stringMatching(/^interrupted/) },
      { number: 2, responseStatus: 200 },
    ])
  })

  test('holds its slot until its claim expires', async () => {
    const [id] = await happen(database.db, businessId, 3)
    await database.db.query(
      "update webhook_queue set attempts = 1, tries = 1, claimed_until = now() + interval '1 hour', next_attempt_at = now() + interval '1 hour' where delivery_id = $1",
      [id],
    )
    const seen = gauged(async () => 204)
    await deliver(worker({ inFlight: 2 }))
    expect(seen.max).toBe(1)
    expect(await statuses()).toEqual({ delivered: 2, pending: 1 })
  })
})

describe('a paused endpoint', () => {
  test('gets nothing until it is resumed, then all waiting deliveries', async () => {
    const ctx = webhookContext(database.db)
    await happen(database.db, businessId, 3)
    expect(await pauseEndpoint(ctx, businessId, endpointId)).toMatchObject({
      status: 'paused',
      pausedReason: 'owner',
      health: { waiting: 3 },
    })
    await happen(database.db, businessId, 2)
    await deliver()
    expect(server.heard).toHaveLength(0)
    await database.db.query(
      "update webhook_queue set next_attempt_at = now() + interval '1 day' where endpoint_id = $1",
      [endpointId],
    )
    expect(await resumeEndpoint(ctx, businessId, endpointId)).toMatchObject({
      status: 'active',
      pausedReason: null,
      pausedAt: null,
    })
    await deliver()
    expect(await statuses()).toEqual({ delivered: 5 })
  })

  test('by a 410: waiting deliveries fail, no more are kept, and the business is notified through its other endpoints', async () => {
    await newEndpoint(database.db, businessId, { url: `${server.url}/events`, eventTypes: ['endpoint.*'] })
    await happen(database.db, businessId, 20)
    server.answer = (response, { url }) => void response.writeHead(url === '/hooks' ? 410 : 204).end()
    await deliver(worker({ inFlight: 2 }))
    expect(await health()).toMatchObject({ status: 'paused', pausedReason: 'gone', waiting: 0 })
    expect(await statuses()).toEqual({ failed: 20, pending: 1 })
    expect(await queue()).toEqual([])
    expect(await happen(database.db, businessId)).toEqual([])
    const { events } = await listEvents(database, businessId, { after: 20, limit: 10 })
    expect(events[0]).toMatchObject({
      type: 'endpoint.paused',
      data: {
        reason: 'gone',
        lastError: 'status 410',
        endpoint: { id: endpointId, host: expect.stringContaining('127.0.0.1') },
      },
    })
    expect(JSON.stringify(events)).not.toContain('whsec_')
  })

  test('by days without a success: deliveries wait, and the business is notified', async () => {
    server.answer = (response) => void response.writeHead(500).end()
    const ctx = worker({ pauseAfterMs: 60_000, schedule: [0, 600_000] })
    await happen(database.db, businessId, 2)
    await deliver(ctx)
    expect(await health()).toMatchObject({
      status: 'active',
      consecutiveFailures: 2,
      failingSince: expect.any(String),
    })
    await database.db.query(
      "update webhook_endpoints set failing_since = now() - interval '61 s', failing_spells = 4 where id = $1",
      [endpointId],
    )
    await happen(database.db, businessId)
    await deliver(ctx)
    expect(await health()).toMatchObject({ status: 'paused', pausedReason: 'failing', waiting: 3 })
    const { events } = await listEvents(database, businessId, { after: 3, limit: 10 })
    expect(events).toMatchObject([
      { type: 'endpoint.paused', sequence: 4, data: { reason: 'failing', lastError: 'status 500' } },
    ])
  })

  test('is not paused again by the first failure after a success', async () => {
    await database.db.query(
      "update webhook_endpoints set failing_since = now() - interval '9 days', failing_spells = 9, consecutive_failures = 2 where id = $1",
      [endpointId],
    )
    await happen(database.db, businessId, 2)
    server.answer = (response, request) =>
      void response.writeHead(sequenceOf(request) === 1 ? 204 : 500).end()
    await deliver(worker({ inFlight: 1, schedule: [0, 600_000] }))
    expect(await health()).toMatchObject({ status: 'active', consecutiveFailures: 1 })
  })
})

describe('a change during an attempt', () => {
  const during = async (work: (id: string) => Promise<unknown>, status: number) => {
    const [id = ''] = await happen(database.db, businessId)
    const hold = latch()
    gauged(async () => {
      await hold.opened
      return server.heard.length === 1 ? status : 204
    })
    const done = deliver(worker({ schedule: [0, 600_000] }))
    await waitFor('the attempt', async () => server.heard.length === 1)
    await work(id)
    hold.open()
    await done
    return getDelivery(database, businessId, id)
  }

  test.each([
    [204, 'delivered'],
    [500, 'failed'],
  ])('removing the endpoint: a %i leaves the delivery %s', async (status, expected) => {
    const details = await during(
      () => removeEndpoint(webhookContext(database.db), businessId, endpointId),
      status,
    )
    expect(details).toMatchObject({
      status: expected,
      attemptsCount: 1,
      attempts: [{ number: 1, responseStatus: status }],
    })
    expect(await queue()).toEqual([])
  })

  test('a replay: there is no second concurrent attempt', async () => {
    expect(await during((id) => replayDelivery(database, businessId, id), 204)).toMatchObject({
      status: 'delivered',
      attemptsCount: 1,
    })
  })

  test('a replay: if the first attempt fails, the delivery is due at once and not by the schedule', async () => {
    expect(await during((id) => replayDelivery(database, businessId, id), 500)).toMatchObject({
      status: 'delivered',
      attemptsCount: 2,
    })
  })

  test('another URL: a 410 of the old one ends nothing, and the delivery goes to the new one at once', async () => {
    const url = `${server.url}/new`
    const details = await during(
      () => changeEndpoint(webhookContext(database.db), businessId, endpointId, { url }),
      410,
    )
    expect(details).toMatchObject({
      status: 'delivered',
      attempts: [{ responseStatus: 410 }, { responseStatus: 204 }],
    })
    expect(server.heard.map((request) => request.url)).toEqual(['/hooks', '/new'])
    expect(await health()).toMatchObject({
      status: 'active',
      lastError: null,
      lastFailedAt: null,
      lastDeliveredAt: expect.any(String),
    })
  })

  test('another URL: if both answer together, each result is recorded for its own URL', async () => {
    await happen(database.db, businessId)
    const hold = latch()
    server.answer = async (response, { url }) => {
      await hold.opened
      response.writeHead(url === '/new' ? 500 : 410).end()
    }
    const ctx = worker({ schedule: [0, 600_000] })
    const done = deliver(ctx)
    const heard = async (url: string) => server.heard.some((request) => request.url === url)
    await waitFor('the first attempt', () => heard('/hooks'))
    await changeEndpoint(webhookContext(database.db), businessId, endpointId, { url: `${server.url}/new` })
    await happen(database.db, businessId)
    ctx.signals.ring(endpointId)
    await waitFor('one at the new address', () => heard('/new'))
    hold.open()
    await done
    expect(await health()).toMatchObject({
      status: 'active',
      consecutiveFailures: 2,
      lastError: 'status 500',
    })
    expect(server.heard.map(({ url }) => url)).toEqual(['/hooks', '/new', '/new'])
  })

  test('another URL while the old one is about to be paused for its failures: waiting deliveries go to the new one at once', async () => {
    await database.db.query(
      "update webhook_endpoints set failing_since = now() - interval '9 days', failing_spells = 9 where id = $1",
      [endpointId],
    )
    await happen(database.db, businessId, 2)
    server.answer = (response, { url }) => void response.writeHead(url === '/new' ? 204 : 500).end()
    // The URL changes after the batch that reports it as failing, and before the pause.
    let changed = false
    const db: DeliveryContext['db'] = {
      ...database.db,
      async query<R extends object>(text: string, values?: unknown[]) {
        const rows = await database.db.query<R>(text, values)
        if (!changed && rows.some((row) => 'overdue' in row && row.overdue === true)) {
          changed = true
          await changeEndpoint(webhookContext(database.db), businessId, endpointId, {
            url: `${server.url}/new`,
          })
        }
        return rows
      },
    }
    await deliver(worker({ db, inFlight: 1 }))
    expect(server.heard.map(({ url }) => url)).toEqual(['/hooks', '/new', '/new'])
    expect([await statuses(), await queue()]).toEqual([{ delivered: 2 }, []])
  })

  test("a pause: the attempt's result is recorded", async () => {
    expect(
      await during(() => pauseEndpoint(webhookContext(database.db), businessId, endpointId), 500),
    ).toMatchObject({
      status: 'pending',
      attemptsCount: 1,
    })
  })
})

test('a body over 20 kB is never sent, and does not count as a failure of the endpoint', async () => {
  const [id = ''] = await happen(database.db, businessId)
  await database.db.query(
    "update events set data = jsonb_build_object('x', repeat('x', 20000)) where business_id = $1",
    [businessId],
  )
  await deliver()
  expect(server.heard).toHaveLength(0)
  const details = await getDelivery(database, businessId, id)
  expect(details).toMatchObject({
    status: 'failed',
    attempts: [{ error: expect.stringContaining('20000 bytes') }],
  })
  expect(await health()).toMatchObject({ consecutiveFailures: 0, lastError: null })
})
