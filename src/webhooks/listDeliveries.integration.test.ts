import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import {
  deliveryContext,
  eventOf,
  happen,
  newBusiness,
  newEndpoint,
  webhookContext,
} from '../../test/support/deliveries.ts'
import { howMany } from '../../test/support/full.ts'
import { startServer, type TestServer } from '../../test/support/httpServer.ts'
import { eventTypes } from '../capabilities.ts'
import { recordDeliveries } from '../events/recordEvents.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import type { PageRequest } from '../platform/pages.ts'
import { deliverDue } from './deliverDue.ts'
import { type DeliveryFilter, type DeliveryView, listDeliveries } from './listDeliveries.ts'
import { maintain } from './maintain.ts'
import { pauseEndpoint, resumeEndpoint } from './pauseEndpoint.ts'
import { removeEndpoint } from './removeEndpoint.ts'
import { replayDelivery, replayFailed } from './replayDelivery.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const first: PageRequest = { page: 1, limit: 20, sort: 'DESC' }
const chains = ['ethereum', 'polygon', '']
const addresses = ['0xE17F0DbEf5e927d3Ffed32Db1c1FaBc3500b0F22', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266']

describe('the list', () => {
  let businessId: string
  let endpoints: string[]
  let all: DeliveryView[]
  /** Times of the events. */
  let times: Date[]

  beforeAll(async () => {
    businessId = await newBusiness(database.db)
    endpoints = [
      (await newEndpoint(database.db, businessId)).endpoint.id,
      (await newEndpoint(database.db, businessId)).endpoint.id,
    ]
    for (let n = 0; n < 60; n++) {
      const event = eventOf(eventTypes[n % eventTypes.length], {
        chain: chains[n % 3] ?? '',
        address: addresses[n % 2] ?? '',
      })
      await database.db.tx((tx) => recordDeliveries(tx, businessId, [event]))
    }
    await database.db.query(
      "update webhook_deliveries set status = 'failed' where business_id = $1 and chain = 'polygon' and endpoint_id = $2",
      [businessId, endpoints[0]],
    )
    await database.db.query(
      "update webhook_deliveries set status = 'delivered' where business_id = $1 and type = 'session.paid'",
      [businessId],
    )
    all = (
      await listDeliveries(
        { db: database.db, eventTypes },
        businessId,
        { type: '*' },
        { ...first, limit: 1000, sort: 'ASC' },
      )
    ).webhooks
    times = [...new Set(all.map(({ createdAt }) => createdAt))].sort().map((at) => new Date(at))
  })

  const matches = (row: DeliveryView, filter: DeliveryFilter): boolean => {
    const type = filter.type ?? 'transaction.detected'
    return (
      (type === '*' || (type.endsWith('.*') ? row.type.startsWith(type.slice(0, -1)) : row.type === type)) &&
      (filter.chain === undefined || row.chain === filter.chain) &&
      (filter.address === undefined || row.address === filter.address) &&
      (filter.status === undefined || filter.status.includes(row.status)) &&
      (filter.endpointId === undefined || row.endpointId === filter.endpointId) &&
      (filter.eventId === undefined || row.eventId === filter.eventId) &&
      (filter.since === undefined || new Date(row.createdAt) >= filter.since) &&
      (filter.until === undefined || new Date(row.createdAt) < filter.until)
    )
  }

  test('shows detected transactions by default', async () => {
    const { webhooks, total } = await listDeliveries({ db: database.db, eventTypes }, businessId, {}, first)
    expect(webhooks.every(({ type }) => type === 'transaction.detected')).toBe(true)
    expect(total).toBe(all.filter(({ type }) => type === 'transaction.detected').length)
    expect(total).toBeGreaterThan(0)
    expect(all).toHaveLength(120)
  })

  test('has exactly the filtered rows, in order, by page and by cursor, with the right total', async () => {
    const maybe = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
    const filters = fc.record({
      type: maybe(['*', 'transaction.*', 'session.*', 'endpoint.*', ...eventTypes]),
      chain: maybe(chains),
      address: maybe(addresses),
      status: fc.option(fc.uniqueArray(fc.constantFrom('pending', 'failed', 'delivered'), { minLength: 1 }), {
        nil: undefined,
      }),
      endpointId: maybe([...endpoints, newId()]),
      eventId: fc.option(fc.constantFrom(...all.map(({ eventId }) => eventId)), { nil: undefined, freq: 5 }),
      since: maybe(times),
      until: maybe(times),
    })
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom('ASC' as const, 'DESC' as const),
        async (given, limit, sort) => {
          const filter = Object.fromEntries(
            Object.entries(given).filter(([, value]) => value !== undefined),
          ) as DeliveryFilter
          const expected = all.filter((row) => matches(row, filter)).map(({ id }) => id)
          if (sort === 'DESC') expected.reverse()
          const one = await listDeliveries({ db: database.db, eventTypes }, businessId, filter, {
            page: 1,
            limit,
            sort,
          })
          expect([one.total, one.totalPages]).toEqual([expected.length, Math.ceil(expected.length / limit)])
          const second = await listDeliveries({ db: database.db, eventTypes }, businessId, filter, {
            page: 2,
            limit,
            sort,
          })
          expect([...one.webhooks, ...second.webhooks].map(({ id }) => id)).toEqual(
            expected.slice(0, 2 * limit),
          )
          const followed: string[] = []
          for (
            let page = one;
            ;
            page = await listDeliveries({ db: database.db, eventTypes }, businessId, filter, {
              page: 1,
              limit,
              sort,
              cursor: page.nextCursor,
            })
          ) {
            followed.push(...page.webhooks.map(({ id }) => id))
            if (page.nextCursor === null) break
          }
          expect(followed).toEqual(expected)
        },
      ),
      { numRuns: 150 },
    )
  })

  test("shows the business's own deliveries only", async () => {
    expect(
      await listDeliveries(
        { db: database.db, eventTypes },
        await newBusiness(database.db),
        { type: '*' },
        first,
      ),
    ).toMatchObject({
      webhooks: [],
      total: 0,
      nextCursor: null,
    })
    expect(
      (
        await listDeliveries(
          { db: database.db, eventTypes },
          await newBusiness(database.db),
          { eventId: all[0]?.eventId ?? '' },
          first,
        )
      ).total,
    ).toBe(0)
  })
})

describe('the counts', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  const counted = (db: Db, businessId: string) =>
    db.query(
      `select endpoint_id, topic, type, chain, status, sum(n)::int as n from webhook_delivery_counts where business_id = $1 group by 1, 2, 3, 4, 5 having sum(n) <> 0
       order by 1, 2, 3, 4, 5`,
      [businessId],
    )
  const real = (db: Db, businessId: string) =>
    db.query(
      'select endpoint_id, topic, type, chain, status, count(*)::int as n from webhook_deliveries where business_id = $1 group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5',
      [businessId],
    )

  test('equal the number of rows, and the queue equals the pending ones, after any operations', async () => {
    const otherStatus = () => (Math.random() < 0.02 ? 410 : 204)
    server.answer = (response) => void response.writeHead(Math.random() < 0.4 ? 500 : otherStatus()).end()
    const { db } = database
    const ctx = webhookContext(db)
    const steps = [
      'happen',
      'add',
      'remove',
      'pause',
      'resume',
      'deliver',
      'replay',
      'replayFailed',
      'fold',
    ] as const
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat()), { minLength: 5, maxLength: 25 }),
        async (plan) => {
          const businessId = await newBusiness(db)
          const worker = deliveryContext(db, { schedule: [0, 0] })
          const pick = async (table: string, n: number) => {
            const rows = await db.query<{ id: string }>(
              `select id from ${table} where business_id = $1 order by id`,
              [businessId],
            )
            return rows[n % rows.length]?.id ?? newId()
          }
          for (const [step, n] of plan) {
            const endpoint = await pick('webhook_endpoints', n)
            // Operations on missing or paused objects are refused.
            const done = {
              happen: () => happen(db, businessId, (n % 5) + 1, eventTypes[n % eventTypes.length]),
              add: () =>
                newEndpoint(db, businessId, { url: server.url, eventTypes: n % 2 ? null : ['session.*'] }),
              remove: () => removeEndpoint(ctx, businessId, endpoint),
              pause: () => pauseEndpoint(ctx, businessId, endpoint),
              resume: () => resumeEndpoint(ctx, businessId, endpoint),
              deliver: () => deliverDue(worker, endpoint, new AbortController().signal),
              replay: async () => replayDelivery(ctx, businessId, await pick('webhook_deliveries', n)),
              replayFailed: () => replayFailed(ctx, businessId, { since: new Date(0) }),
              fold: () => maintain({ db, log: worker.log, retentionDays: 90 }),
            }[step]()
            await done.catch((error) => {
              if (!(error as { status?: number }).status) throw error
            })
          }
          await worker.close()
          expect(await counted(db, businessId)).toEqual(await real(db, businessId))
          const [odd] = await db.query<{ n: number }>(
            `select count(*)::int as n from webhook_deliveries d full join webhook_queue q on q.delivery_id = d.id
           where d.business_id = $1 and (d.status = 'pending' and d.endpoint_id is not null) <> (q.delivery_id is not null)`,
            [businessId],
          )
          expect(odd?.n).toBe(0)
        },
      ),
      { numRuns: 20 },
    )
  })
})

const count = howMany(150_000, 200_000)

describe(`${count} deliveries`, () => {
  let large: TestDatabase
  let businessId: string
  let endpointId: string

  beforeAll(async () => {
    large = await createTestDatabase()
    businessId = await newBusiness(large.db)
    endpointId = (await newEndpoint(large.db, businessId)).endpoint.id
    const others = [
      (await newEndpoint(large.db, businessId)).endpoint.id,
      (await newEndpoint(large.db, businessId)).endpoint.id,
    ]
    // Three weeks, mostly of one business; generated ids sort by number like a UUIDv7 by time.
    await large.db.query(
      `insert into webhook_deliveries (id, created_at, event_id, business_id, endpoint_id, topic, type, chain, address, symbol, amount, status)
       select (lpad(to_hex(n), 12, '0') || '-7000-8000-000000000000')::uuid, date_trunc('week', now()) + n * interval '12 seconds', gen_random_uuid(),
         case when n % 10 = 0 then $2::uuid else $1 end, case when n % 100 = 7 then $4::uuid else $3 end,
         split_part(types.names[1 + n % $5], '.', 1), types.names[1 + n % $5], (array['ethereum', 'polygon', 'bsc', 'base'])[1 + n / 7 % 4],
         '0x' || lpad(to_hex(n % 5000), 40, '0'), 'USDC', '1', case when n % 1000 = 3 then 'failed' when n > $6::int - 500 then 'pending' else 'delivered' end
       from generate_series(1, $6::int) n, (select $7::text[] as names) types`,
      [businessId, await newBusiness(large.db), endpointId, others[0], eventTypes.length, count, eventTypes],
    )
    await large.db.query('vacuum analyze webhook_deliveries')
  })
  afterAll(() => large?.drop())

  interface Plan {
    'Node Type': string
    'Relation Name'?: string
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    Plans?: Plan[]
  }
  const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
  const half = new Date(Date.now() - 3_600_000)

  test.each<[string, () => DeliveryFilter]>([
    ['the default type', () => ({})],
    ['all types', () => ({ type: '*' })],
    ['a topic', () => ({ type: 'session.*' })],
    ['a type', () => ({ type: 'transaction.reverted' })],
    ['a chain', () => ({ chain: 'polygon' })],
    ['a chain, of all types', () => ({ type: '*', chain: 'polygon' })],
    ['an address', () => ({ address: `0x${'4'.padStart(40, '0')}` })],
    ['an unknown address', () => ({ type: '*', address: `0x${'f'.repeat(40)}` })],
    ['failed ones', () => ({ type: '*', status: ['failed'] })],
    ['failed transactions', () => ({ status: ['failed'] })],
    ['pending ones', () => ({ type: '*', status: ['pending'] })],
    ['delivered ones', () => ({ type: '*', status: ['delivered'] })],
    ['an endpoint', () => ({ type: '*', endpointId })],
    ['an event', () => ({ type: '*', eventId: newId() })],
    ['a time', () => ({ type: '*', since: half })],
    ['a time long ago', () => ({ type: '*', until: new Date('2026-01-01') })],
    ['chain and status', () => ({ type: '*', chain: 'base', status: ['failed'] })],
  ])('are listed and counted by %s without reading or sorting all of them', async (_what, filter) => {
    const plans: { text: string; plan: Plan }[] = []
    const explained: Db = {
      ...large.db,
      async query<R extends object>(text: string, values: unknown[] = []) {
        const [row] = await large.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, format json) ${text}`,
          values,
        )
        if (row) plans.push({ text, plan: row['QUERY PLAN'][0].Plan })
        return large.db.query<R>(text, values)
      },
      tx: <T>(work: (tx: Tx) => Promise<T>) => large.db.tx(work),
    }
    await listDeliveries({ db: explained, eventTypes }, businessId, filter(), first)
    await listDeliveries({ db: explained, eventTypes }, businessId, filter(), {
      ...first,
      sort: 'ASC',
      page: 3,
    })
    expect(plans.length).toBeGreaterThanOrEqual(2)
    for (const { text, plan } of plans) {
      const read = (node: Plan) =>
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      const scans = nodesOf(plan).filter(
        (node) => node['Node Type'] === 'Seq Scan' && node['Relation Name']?.startsWith('webhook_deliveries'),
      )
      const sorts = nodesOf(plan).filter((node) => node['Node Type'].includes('Sort'))
      expect({ text, scanned: Math.max(0, ...scans.map(read)) }).toEqual({ text, scanned: 0 })
      // A few hundred of a rare status or address are allowed, as are pages.
      expect({ text, sorted: Math.max(0, ...sorts.map(read)) < 2000 }).toEqual({ text, sorted: true })
    }
  })
})
