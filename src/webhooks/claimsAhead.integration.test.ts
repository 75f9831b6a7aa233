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
import { waitFor } from '../../test/support/waitFor.ts'
import { claimBatch, type Ended } from './claimBatch.ts'
import { deliverDue } from './deliverDue.ts'
import type { Claimed } from './messages.ts'
import { pauseEndpoint } from './pauseEndpoint.ts'
import { freshMs } from './slots.ts'

let database: TestDatabase
let businessId: string
let endpointId: string
const url = 'https://shop.example/hooks'
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
  businessId = await newBusiness(database.db)
  endpointId = (await newEndpoint(database.db, businessId, { url })).endpoint.id
  await happen(database.db, businessId, 10)
})

type Options = Partial<Parameters<typeof claimBatch>[3]>
const claim = async (more: Options = {}, ended: readonly Ended[] = [], id = endpointId) =>
  (await claimBatch(database.db, id, ended, { ...options, ...more })).claimed
const idsOf = (claimed: readonly Claimed[]) => claimed.map(({ deliveryId }) => deliveryId)
const endedWith = (claimed: Claimed, outcome: 'delivered' | 'failed'): Ended => ({
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
  },
})
const queued = () =>
  database.db.query<{ attempts: number; tries: number; claimed: boolean; due: boolean }>(
    `select attempts, tries, claimed_until is not null as claimed, next_attempt_at <= clock_timestamp() as due from webhook_queue where endpoint_id = $1
     order by attempts desc, claimed desc`,
    [endpointId],
  )
const attempts = () =>
  database.db.query(
    'select number, error from webhook_attempts where delivery_id in (select id from webhook_deliveries where business_id = $1)',
    [businessId],
  )

describe('claims ahead', () => {
  test('are made by the only worker of an endpoint; another one then claims nothing', async () => {
    const first = await claim({ ahead: 3 })
    expect(first).toHaveLength(5)
    expect(await claim({ ahead: 3 })).toEqual([])
    expect(
      await claim(
        { ahead: 3, held: idsOf(first.slice(2)) },
        first.slice(0, 2).map((each) => endedWith(each, 'delivered')),
      ),
    ).toHaveLength(2)
  })

  test('are not made while another worker has claims, so that both together keep the cap', async () => {
    const others = await claim({ cap: 1 })
    const own = await claim({ ahead: 3 })
    expect([others, own].map(({ length }) => length)).toEqual([1, 1])
    expect(await claim({ ahead: 3, held: idsOf(own) })).toEqual([])
  })

  test('are not made of an endpoint that fails, that has a limit of attempts, or whose host is at its limit', async () => {
    const [failed] = await claim({ cap: 1 })
    if (!failed) throw new Error('no claim')
    expect(await claim({ ahead: 3 }, [endedWith(failed, 'failed')])).toHaveLength(2)
    const limited = await newEndpoint(database.db, businessId, {
      url: 'https://other.example/',
      maxPerSecond: 100,
    })
    const [one, two] = [
      await newEndpoint(database.db, businessId, { url: 'https://third.example/1' }),
      await newEndpoint(database.db, businessId, { url: 'https://third.example/2' }),
    ]
    await happen(database.db, businessId, 10)
    expect(await claim({ ahead: 3 }, [], limited.endpoint.id)).toHaveLength(2)
    expect(await claim({ ahead: 3, hostCap: 3 }, [], one.endpoint.id)).toHaveLength(2)
    expect(await claim({ ahead: 3, hostCap: 3 }, [], two.endpoint.id)).toHaveLength(1)
  })

  test('that are returned count as no attempt: the delivery is due, and its next attempt has the same number', async () => {
    const returned = await claim()
    expect(await claim({ cap: 0, returned })).toEqual([])
    expect(await attempts()).toEqual([])
    expect(await queued()).toEqual(
      Array.from({ length: 10 }, () => ({ attempts: 0, tries: 0, claimed: false, due: true })),
    )
    expect(await claim({ cap: 10 })).toEqual(
      Array.from({ length: 10 }, () => expect.objectContaining({ attempts: 1, tries: 1 })),
    )
    // By now another attempt.
    const last = await claim({ cap: 0, returned: returned.map((each) => ({ ...each, attempts: 2 })) })
    expect(last).toEqual([])
    expect(await queued()).toEqual(
      Array.from({ length: 10 }, () => ({ attempts: 1, tries: 1, claimed: true, due: false })),
    )
  })

  test('that are returned after an interrupted attempt leave that one as it was', async () => {
    const [first] = await claim({ cap: 1 })
    await database.db.query(
      "update webhook_queue set next_attempt_at = now() - interval '1 hour', claimed_until = now() - interval '1 hour' where delivery_id = $1",
      [first?.deliveryId],
    )
    const again = await claim({ cap: 1 })
    expect(again).toMatchObject([{ deliveryId: first?.deliveryId, attempts: 2, tries: 1 }])
    await claim({ cap: 0, returned: again })
    expect((await queued())[0]).toEqual({ attempts: 1, tries: 0, claimed: false, due: true })
    expect(await attempts()).toEqual([{ number: 1, error: expect.stringContaining('interrupted') }])
  })
})

describe('a worker', () => {
  let server: TestServer
  let ctx: ReturnType<typeof deliveryContext>
  /** The max number of claims of one call. */
  let maxClaimed: number
  beforeEach(async () => {
    server = await startServer()
    maxClaimed = 0
    const db: typeof database.db = {
      ...database.db,
      async query<R extends object>(text: string, values?: unknown[]) {
        const rows = await database.db.query<R>(text, values)
        if (text.includes('take_delivery_turn'))
          maxClaimed = Math.max(
            maxClaimed,
            rows.filter((row) => 'deliveryId' in row && row.deliveryId !== null).length,
          )
        return rows
      },
    }
    ctx = deliveryContext(db, { inFlight: 1, schedule: [0, 60_000, 60_000], timeoutMs: 60_000 })
    endpointId = (await newEndpoint(database.db, businessId, { url: server.url })).endpoint.id
    await happen(database.db, businessId, 10)
  })
  afterEach(async () => {
    await server.close()
    await ctx.close()
  })
  const deliver = (signal = new AbortController().signal) => deliverDue(ctx, endpointId, signal)

  test('sends no claim after a failure until it is recorded', async () => {
    server.answer = (response) => void response.writeHead(429, { 'retry-after': '3600' }).end()
    await deliver()
    expect(server.heard).toHaveLength(1)
    expect((await queued()).map(({ attempts: made, tries }) => [made, tries])).toEqual([
      [1, 1],
      ...Array.from({ length: 9 }, () => [0, 0]),
    ])
  })

  const claimedNow = async () => (await queued()).filter(({ claimed }) => claimed).length

  /**
   * Starts deliveries, and waits for claims ahead of an attempt that gets no answer. @returns answers it, and
   * waits for the deliveries
   */
  async function deliverSlowly(): Promise<() => Promise<unknown>> {
    const slow = Promise.withResolvers<void>()
    server.answer = async (response) => {
      await slow.promise
      response.writeHead(204).end()
    }
    const done = deliver()
    // A poll of the queue may come when they were returned.
    await waitFor('claims ahead', async () => maxClaimed === 5 && server.heard.length === 1)
    return () => {
      slow.resolve()
      return done
    }
  }

  test('claims more ahead of a quick endpoint, by its pace: few calls claim and store many deliveries', async () => {
    await happen(database.db, businessId, 590)
    const { db } = ctx
    let calls = 0
    ctx.db = {
      ...db,
      query: (text, values) => {
        if (text.includes('take_delivery_turn')) calls++
        return db.query(text, values)
      },
    }
    await deliver()
    expect([server.heard.length, await queued()]).toEqual([600, []])
    // The claims ahead before the pace is known would make 150 of it.
    expect(calls).toBeLessThan(100)
  })

  /** Changes the calls that claim and store. */
  const changedBy = (change: (call: number, ask: () => Promise<unknown[]>) => Promise<unknown[]>) => {
    const { db } = ctx
    let calls = 0
    ctx.db = {
      ...db,
      query: <R extends object>(text: string, values?: unknown[]) => {
        const ask = () => db.query<R>(text, values)
        return (text.includes('take_delivery_turn') ? change(++calls, ask) : ask()) as Promise<R[]>
      },
    }
  }

  test('sends what a free slot has, also where the call that claimed it took longer than a claim may wait', async () => {
    const sent: number[] = []
    changedBy(async (call, ask) => {
      sent.push(server.heard.length)
      const rows = await ask()
      if (call <= 3) await new Promise((resolve) => setTimeout(resolve, freshMs + 100))
      return rows
    })
    await deliver()
    expect([server.heard.length, await queued()]).toEqual([10, []])
    // The first slow call was followed by an attempt, and not only by the next one.
    expect(sent[2]).toBeGreaterThan(0)
  })

  test('stores its results with the next call, where one failed for another reason than a database that is away', async () => {
    changedBy(async (call, ask) => {
      if (call === 2) throw new Error('deadlock detected')
      return ask()
    })
    await deliver()
    expect([server.heard.length, await queued()]).toEqual([10, []])
  })

  test('returns claims that a slow attempt holds up, so that a pause stops them', async () => {
    const end = await deliverSlowly()
    await pauseEndpoint(webhookContext(database.db), businessId, endpointId)
    await waitFor('their return', async () => (await claimedNow()) === 1, freshMs + 10_000)
    await end()
    expect(server.heard).toHaveLength(1)
    expect((await queued()).map(({ attempts: made, tries }) => [made, tries])).toEqual(
      Array.from({ length: 9 }, () => [0, 0]),
    )
  })

  test('claims nothing ahead again while an attempt hangs', async () => {
    const end = await deliverSlowly()
    await waitFor('their return', async () => (await claimedNow()) === 1, freshMs + 10_000)
    await end()
    expect([server.heard.length, await queued()]).toEqual([10, []])
  })

  test('returns its claims when it stops', async () => {
    const stop = new AbortController()
    server.answer = (response) => {
      stop.abort()
      response.writeHead(204).end()
    }
    await deliver(stop.signal)
    expect(server.heard).toHaveLength(1)
    expect((await queued()).map(({ attempts: made, claimed }) => [made, claimed])).toEqual(
      Array.from({ length: 9 }, () => [0, false]),
    )
  })
})
