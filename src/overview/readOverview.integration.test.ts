import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { awayFromMidnight } from '../../test/support/awayFromMidnight.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeSession } from '../../test/support/madeSessions.ts'
import { makeTaking, makeUnpaid } from '../../test/support/madeTakings.ts'
import { makeWebhookRecords } from '../../test/support/webhookRecords.ts'
import { configuredChains } from '../chains/configuration.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import { newId } from '../platform/ids.ts'
import { type OverviewContext, readOverview } from './readOverview.ts'

await awayFromMidnight()

const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })
let database: TestDatabase
let ctx: OverviewContext

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  ctx = {
    db,
    chains,
    coinUsd: new Map(),
    rates: {
      mid: () => Promise.reject(new Error('not used')),
      midOrNull: async (currency) =>
        currency === 'NGN' ? { rate: '1500.5', at: new Date(), source: 'test' } : null,
    },
  }
})
afterAll(() => database?.drop())

async function newBusiness(currency: string | null): Promise<string> {
  const id = newId()
  await insertBusiness(database.db, id)
  await database.db.query('update businesses set local_currency = $2 where id = $1', [id, currency])
  return id
}

const read = (
  businessId: string,
  { timeZone = null, operator = false }: { timeZone?: string | null; operator?: boolean } = {},
) => readOverview(ctx, { businessId, timeZone, reader: { id: newId(), operator } })

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const daysAgo = (days: number) => hoursAgo(24 * days)

describe('what was taken', () => {
  test('counts a payment with what its session was worth, another by the rate of now, and names what has no price', async () => {
    const { db } = database
    const businessId = await newBusiness('NGN')
    await makeTaking(db, businessId, {
      at: new Date(),
      amount: 2,
      local: { amount: '3100.25', currency: 'NGN' },
    })
    await makeTaking(db, businessId, {
      at: new Date(),
      amount: 1,
      local: { amount: '16.5', currency: 'GHS' },
    })
    await makeTaking(db, businessId, { at: new Date(), amount: 0.000001, chain: 'base' })
    const { currency, taken, days, unpriced } = await read(businessId)
    // 3100.25 + 1500.5 + 0.0015005, rounded down once.
    expect([currency, taken.today]).toEqual(['NGN', { amount: '4600.75', payments: 3 }])
    expect(days.at(-1)?.assets).toEqual([
      { chain: 'base', token: 'USDC', tokens: '0.000001', amount: '0', payments: 1 },
      { chain: 'ethereum', token: 'USDC', tokens: '3', amount: '4600.75', payments: 2 },
    ])
    expect(unpriced).toEqual([])
    await db.query("update businesses set local_currency = 'GHS' where id = $1", [businessId])
    const other = await read(businessId)
    expect(other.taken.today).toEqual({ amount: '16.5', payments: 3 })
    expect(other.unpriced).toEqual([
      { chain: 'base', token: 'USDC', amount: '0.000001' },
      { chain: 'ethereum', token: 'USDC', amount: '2' },
    ])
  })

  test('counts what the business keeps: an excess once it was credited, and a shortfall that was accepted', async () => {
    const { db } = database
    const businessId = await newBusiness('NGN')
    const local = { amount: '1500', currency: 'NGN' }
    const at = new Date()
    await makeTaking(db, businessId, { at, amount: 1, local, settled: 3_000_000n })
    await makeTaking(db, businessId, { at, amount: 1, local, settled: 3_000_000n, credited: 2_000_000n })
    await makeTaking(db, businessId, { at, amount: 1, local, settled: 333_333n })
    // Late money that was accepted never settled.
    const late = await makeTaking(db, businessId, { at, amount: 1, local, settled: 0n })
    await db.query('update pos_sessions set amount_accepted = 1000000 where id = $1', [late])
    const { taken, days } = await read(businessId)
    expect(taken.today).toEqual({ amount: '6499.99', payments: 4 })
    expect(days.at(-1)?.assets[0]?.tokens).toBe('4.333333')
  })

  test('is by the days of the time zone, with those without a payment, and sums 7 and 30 of them', async () => {
    const { db } = database
    const businessId = await newBusiness(null)
    for (const days of [0, 6, 7, 29, 30])
      await makeTaking(db, businessId, { at: daysAgo(days), amount: 10 ** (days % 5) })
    const { taken, days, currency } = await read(businessId, { timeZone: 'Asia/Calcutta' })
    expect([currency, days.length, new Set(days.map(({ date }) => date)).size]).toEqual(['USD', 30, 30])
    // Of 0, 6, 7 and 29 days ago: 1, 10, 100 and 10,000 dollars.
    expect(taken).toEqual({
      today: { amount: '1', payments: 1 },
      last7Days: { amount: '11', payments: 2 },
      last30Days: { amount: '10111', payments: 4 },
    })
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Calcutta' }).format(new Date())
    expect([days.at(-1)?.date, days.at(-1)?.payments, days.at(-2)?.payments]).toEqual([today, 1, 0])
  })

  test('is by the days of the business, where no other zone is asked for', async () => {
    const businessId = await newBusiness(null)
    await database.db.query("update businesses set time_zone = 'Pacific/Kiritimati' where id = $1", [
      businessId,
    ])
    const days = await Promise.all(
      [{}, { timeZone: 'Pacific/Kiritimati' }, { timeZone: 'Pacific/Niue' }].map((options) =>
        read(businessId, options),
      ),
    )
    expect(days.map(({ timeZone }) => timeZone)).toEqual([
      'Pacific/Kiritimati',
      'Pacific/Kiritimati',
      'Pacific/Niue',
    ])
    const [own, same, other] = days.map((each) => each.days.at(-1)?.date)
    expect([same === own, other === own]).toEqual([true, false])
  })

  test('is of this business alone', async () => {
    const [one, other] = [await newBusiness(null), await newBusiness(null)]
    await makeTaking(database.db, one, { at: new Date(), amount: 5 })
    await makeUnpaid(database.db, one, { at: new Date() })
    const { taken, sessions, needs, balances } = await read(other)
    expect([taken.last30Days, sessions, needs.decisions.count, balances.total]).toEqual([
      { amount: '0', payments: 0 },
      { paid: 0, unpaid: 0 },
      0,
      '0',
    ])
  })
})

test('shares what was paid of the sessions that ended in 30 days', async () => {
  const { db } = database
  const businessId = await newBusiness(null)
  for (const at of [daysAgo(1), daysAgo(28), daysAgo(31)]) {
    await makeTaking(db, businessId, { at, amount: 1 })
    await makeUnpaid(db, businessId, { at })
  }
  await makeUnpaid(db, businessId, { at: daysAgo(2), cancelled: true })
  await makeSession(db, businessId, 1n)
  expect((await read(businessId)).sessions).toEqual({ paid: 2, unpaid: 3 })
})

test('the time to confirm is the median from seen to paid', async () => {
  const { db } = database
  const businessId = await newBusiness(null)
  expect((await read(businessId)).confirmSeconds).toBeNull()
  for (const seconds of [10, 600, 42.5]) {
    const at = hoursAgo(1)
    const id = await makeTaking(db, businessId, { at, amount: 1 })
    await db.tx(async (tx) => {
      // The payment has no detection: it is not read here.
      await tx.query("set local session_replication_role = 'replica'")
      await tx.query(
        "insert into session_payments (detection_id, session_id, generation, status, posted, created_at) values ($1, $2, 0, 'confirmed', 'available', $3)",
        [newId(), id, new Date(at.getTime() - seconds * 1000)],
      )
    })
  }
  expect((await read(businessId)).confirmSeconds).toBe('42.5')
})

test('balances are one total: available, pending and held; what has no price is named', async () => {
  const { db } = database
  const businessId = await newBusiness('NGN')
  const own = (name: 'pending' | 'available' | 'payouts_held', asset: string) =>
    ({ name, businessId, asset }) as const
  const usdc = tokenAsset('ethereum', 'USDC')
  const eth = tokenAsset('ethereum', 'ETH')
  const deposits = (asset: string) => ({ name: 'deposits:ethereum', businessId: null, asset }) as const
  await db.tx((tx) =>
    post(tx, [
      {
        kind: 'test',
        businessId,
        cause: { kind: 'adjustment', id: newId() },
        step: 1,
        postings: [
          { account: deposits(usdc), amount: 7_000_000n },
          { account: own('available', usdc), amount: -4_000_000n },
          { account: own('pending', usdc), amount: -2_500_000n },
          { account: own('payouts_held', usdc), amount: -500_000n },
          { account: deposits(eth), amount: 5n },
          { account: own('available', eth), amount: -5n },
        ],
      },
    ]),
  )
  expect((await read(businessId)).balances).toEqual({
    total: '10503.5',
    available: '6002',
    pending: '3751.25',
    unpriced: [{ chain: 'ethereum', token: 'ETH', amount: '0.000000000000000005' }],
  })
})

describe('what needs a person', () => {
  test('has sessions with money that came otherwise than expected, until someone decides', async () => {
    const { db } = database
    const businessId = await newBusiness(null)
    const held = await makeTaking(db, businessId, {
      at: new Date(),
      amount: 1,
      settled: 2_000_000n,
      reference: 'INV-1',
    })
    await db.query(
      "update pos_sessions set resolution = null, amount_accepted = null, amount_held = 1000000, held_until = now() + interval '1 day' where id = $1",
      [held],
    )
    const late = await makeUnpaid(db, businessId, { at: hoursAgo(1) })
    await db.query(
      "update pos_sessions set exception = 'late', amount_received = 700000, created_at = now() - interval '1 hour' where id = $1",
      [late],
    )
    // Credited by its deadline: nobody has to decide.
    const credited = await makeTaking(db, businessId, {
      at: new Date(),
      amount: 1,
      settled: 2_000_000n,
      credited: 2_000_000n,
    })
    await db.query('update pos_sessions set resolution = null, amount_accepted = null where id = $1', [
      credited,
    ])
    const { decisions } = (await read(businessId)).needs
    expect(decisions).toEqual({
      count: 2,
      isMore: false,
      newest: [
        {
          id: held,
          reference: 'INV-1',
          chain: 'ethereum',
          token: 'USDC',
          amountReceived: '2',
          exception: 'overpaid',
        },
        {
          id: late,
          reference: null,
          chain: 'ethereum',
          token: 'USDC',
          amountReceived: '0.7',
          exception: 'late',
        },
      ],
    })
    await db.query("update pos_sessions set resolution = 'left' where id = $1", [late])
    expect((await read(businessId)).needs.decisions.newest.map(({ id }) => id)).toEqual([held])
  })

  test('counts at most 100 of them, and shows three', async () => {
    const businessId = await newBusiness(null)
    for (let n = 0; n < 101; n++) await makeUnpaid(database.db, businessId, { at: hoursAgo(1) })
    await database.db.query("update pos_sessions set exception = 'late' where business_id = $1", [businessId])
    const { count, isMore, newest } = (await read(businessId)).needs.decisions
    expect([count, isMore, newest.length]).toEqual([100, true, 3])
  })

  test('has endpoints that fail or were paused for it, but not those that their owner paused', async () => {
    const { db } = database
    const businessId = await newBusiness(null)
    const [failing, paused, owners, fine] = await Promise.all(
      Array.from({ length: 4 }, async () => (await makeWebhookRecords(db, businessId)).endpoint),
    )
    await db.query(
      'update webhook_endpoints set failing_since = now(), consecutive_failures = 3 where id = $1',
      [failing],
    )
    await db.query(
      "update webhook_endpoints set status = 'paused', paused_reason = 'gone', paused_at = now() where id = $1",
      [paused],
    )
    await db.query(
      "update webhook_endpoints set status = 'paused', paused_reason = 'owner', paused_at = now(), failing_since = now() where id = $1",
      [owners],
    )
    const found = (await read(businessId)).needs.failingEndpoints
    expect(Object.fromEntries(found.map(({ id, status }) => [id, status]))).toEqual({
      [String(failing)]: 'failing',
      [String(paused)]: 'paused',
    })
    expect(fine).toBeDefined()
  })

  test('has chains that are behind, and for operators those whose treasury has too little gas', async () => {
    const { db } = database
    const businessId = await newBusiness(null)
    const time = hoursAgo(5)
    await db.query(
      `insert into blocks (chain, height, id, parent_id, time, canonical) values ('ethereum', 7, 'a', 'b', $1, true)`,
      [time],
    )
    await db.query(
      "insert into chain_cursors (chain, epoch, height) values ('ethereum', 1, 7) on conflict (chain) do update set height = 7",
    )
    await db.query(
      "insert into treasury_floats (chain, token, balance) values ('ethereum', 'ETH', 1000), ('ethereum', 'USDC', 0)",
    )
    const asMember = (await read(businessId)).needs
    expect(asMember.delayedChains).toEqual([{ chain: 'ethereum', since: time.toISOString() }])
    expect(asMember.lowGas).toBeNull()
    const { lowGas } = (await read(businessId, { operator: true })).needs
    expect(lowGas).toEqual([
      { chain: 'ethereum', symbol: 'ETH', balance: '0.000000000000001', lowWater: expect.any(String) },
    ])
  })
})

test('a time zone that does not exist is refused', async () => {
  const businessId = await newBusiness(null)
  await expect(read(businessId, { timeZone: 'Nowhere/At_All' })).rejects.toThrow(
    'timeZone: is not the IANA name of a time zone',
  )
})
