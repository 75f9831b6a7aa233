import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { addBusiness, addMember, addPerson, type Person } from '../../test/support/dashboardSession.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { hasSecondOwner, standsFor } from '../approvals/secondOwner.ts'
import { systemActor } from '../audit/recordAudit.ts'
import { readTimeZone } from '../businesses/timeZone.ts'
import { configuredChains } from '../chains/configuration.ts'
import { adjusted } from '../ledger/entries.ts'
import { post } from '../ledger/post.ts'
import { reverseEntry } from '../ledger/reverseEntry.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { closeMonth, closePeriod } from './closeMonth.ts'
import { listEntries } from './listEntries.ts'
import { monthPeriod } from './monthPeriod.ts'
import { monthRange } from './monthRange.ts'
import { statement } from './statement.ts'

let database: TestDatabase
const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })
const asset = 'ethereum:USDC'
const actor = systemActor('test')
const timeZone = 'Africa/Lagos'
const dayAgo = new Date(Date.now() - 86_400_000)

beforeAll(async () => {
  database = await createTestDatabase(20)
})
afterAll(() => database?.drop())

const ctx = () => ({ db: database.db, chains, lockBusiness, hasSecondOwner, standsFor, readTimeZone })
const postIn = (tx: Tx, businessId: string) =>
  post(tx, [
    adjusted({
      cause: { kind: 'adjustment', id: newId() },
      step: 1,
      debit: { name: 'capital', businessId: null, asset },
      credit: { name: 'available', businessId, asset },
      amount: 1_000_000n,
    }),
  ])
const postOne = (businessId: string) => database.db.tx((tx) => postIn(tx, businessId))
const now = async () =>
  (await database.db.query<{ at: Date }>('select clock_timestamp() as at'))[0]?.at ?? new Date()

interface Shop {
  owner: Person
  businessId: string
}

async function open(): Promise<Shop> {
  const owner = await addPerson(database)
  const businessId = await addBusiness(database, owner)
  await moveTo(businessId, timeZone)
  return { owner, businessId }
}
const moveTo = (businessId: string, zone: string) =>
  database.db.query('update businesses set time_zone = $2 where id = $1', [businessId, zone])
const close = ({ owner, businessId }: Shop, month: string, from: Date, to: Date) =>
  closePeriod(ctx(), actor, { businessId, accountId: owner.id }, { month, timeZone, from, to })
const read = async ({ businessId }: Shop, from: Date, to: Date) => {
  const { finalUntil: _, ...rest } = await statement(ctx(), businessId, { from, to })
  return rest
}

describe('a month', () => {
  test('does not close while an entry can still be committed in it, and closes after that', async () => {
    const shop = await open()
    let commit = () => {}
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    let isPosted = () => {}
    const posted = new Promise<void>((resolve) => {
      isPosted = resolve
    })
    const ended = database.db.tx(async (tx) => {
      await postIn(tx, shop.businessId)
      isPosted()
      await held
    })
    await Promise.race([posted, ended])
    const to = await now()
    await expect(close(shop, '2026-01', dayAgo, to)).rejects.toMatchObject({
      status: 409,
      error: 'month_not_final',
    })
    commit()
    await ended
    expect(await close(shop, '2026-01', dayAgo, to)).toMatchObject({ state: 'closed' })
    expect((await read(shop, dayAgo, to)).accounts).toMatchObject([{ closing: '1' }])
  })

  test('that is closed never changes, whatever is posted while it closes and later', async () => {
    const shop = await open()
    let goesOn = true
    let posted = 0
    const posters = Array.from({ length: 6 }, async () => {
      while (goesOn) {
        await postOne(shop.businessId)
        posted++
      }
    })
    let from = dayAgo
    const closed: { from: Date; to: Date; was: object }[] = []
    try {
      for (const month of ['2026-01', '2026-02', '2026-03']) {
        const to = await now()
        for (;;) {
          const answer = await close(shop, month, from, to).catch((error: { error?: string }) => {
            if (error.error !== 'month_not_final') throw error
            return null
          })
          if (answer) break
        }
        closed.push({ from, to, was: await read(shop, from, to) })
        from = to
      }
    } finally {
      goesOn = false
      await Promise.all(posters)
    }
    await postOne(shop.businessId)
    for (const { from: start, to, was } of closed) expect(await read(shop, start, to)).toEqual(was)
    const rest = await read(shop, from, await now())
    const entries = [...closed.map(({ was }) => was as typeof rest), rest].flatMap(({ accounts }) =>
      accounts.flatMap(({ movements }) => movements.map((movement) => movement.entries)),
    )
    expect(entries.reduce((sum, each) => sum + each, 0)).toBe(posted + 1)
  })

  test('is closed once by many at once, and never changed or opened again', async () => {
    const shop = await open()
    const to = await now()
    const answers = await Promise.all(Array.from({ length: 5 }, () => close(shop, '2026-01', dayAgo, to)))
    expect(new Set(answers.map(({ closedAt }) => closedAt)).size).toBe(1)
    const [entry] = await database.db.query<{ n: number }>(
      "select count(*)::int as n from audit_log where business_id = $1 and action = 'ledger.month_closed'",
      [shop.businessId],
    )
    expect(entry?.n).toBe(1)
    for (const statement of ['update ledger_months set closed_at = now()', 'delete from ledger_months'])
      await expect(database.db.query(statement)).rejects.toThrow('cannot be changed')
  })

  test('needs a second owner where there is one', async () => {
    const shop = await open()
    const second = await addMember(database, shop.businessId, 'owner')
    const to = await now()
    expect(await close(shop, '2026-01', dayAgo, to)).toMatchObject({ state: 'waiting', closedBy: null })
    expect(await close(shop, '2026-01', dayAgo, to)).toMatchObject({ state: 'waiting' })
    expect(await close({ ...shop, owner: second }, '2026-01', dayAgo, to)).toMatchObject({
      state: 'closed',
      askedBy: { id: shop.owner.id },
      closedBy: { id: second.id },
    })
  })

  test.each([
    [
      { month: '2026-03', timeZone },
      { status: 409, error: 'month_out_of_order' },
    ],
    [{ month: '2026-01', timeZone: 'Nowhere/At_All' }, { status: 400 }],
    [{ month: '2026-02', timeZone: 'UTC' }, { status: 400 }],
    [{ month: '2100-01', timeZone }, { status: 409 }],
  ])('%j after January is refused, and closes nothing', async (wanted, refusal) => {
    const { owner, businessId } = await open()
    const by = { businessId, accountId: owner.id }
    await closeMonth(ctx(), actor, by, { month: '2026-01', timeZone })
    await expect(closeMonth(ctx(), actor, by, wanted)).rejects.toMatchObject(refusal)
    const rows = await database.db.query('select 1 from ledger_months where business_id = $1', [businessId])
    expect(rows).toHaveLength(1)
    expect(await closeMonth(ctx(), actor, by, { month: '2026-02', timeZone })).toMatchObject({
      state: 'closed',
    })
  })
})

describe('after a change of the time zone', () => {
  const byMonth = ({ owner, businessId }: Shop, month: string) =>
    closeMonth(ctx(), actor, { businessId, accountId: owner.id }, { month })

  test.each([
    ['Pacific/Kiritimati', 'Pacific/Niue'],
    ['Pacific/Niue', 'Pacific/Kiritimati'],
    ['Africa/Lagos', 'Asia/Kathmandu'],
    ['Australia/Lord_Howe', 'UTC'],
  ])('from %s to %s, closed months keep their bounds and the next one joins them', async (before, later) => {
    const shop = await open()
    await moveTo(shop.businessId, before)
    const january = await byMonth(shop, '2026-01')
    await moveTo(shop.businessId, later)
    const period = (month: string, zone?: string) =>
      monthPeriod(database.db, shop.businessId, {
        month,
        own: later,
        ...(zone !== undefined && { timeZone: zone }),
      })
    // As it was closed, and as it will be: in the zone of before and in that of now.
    for (const zone of [undefined, before, later])
      expect((await period('2026-01', zone)).to.toISOString()).toBe(january.to)
    const current = await period('2026-02')
    const february = await byMonth(shop, '2026-02')
    const march = await byMonth(shop, '2026-03')
    expect([february, march].map(({ from, timeZone: zone }) => [from, zone])).toEqual([
      [january.to, later],
      [february.to, later],
    ])
    expect([current.from, current.to].map((time) => time.toISOString())).toEqual([february.from, february.to])
    expect(february.to).toBe(monthRange('2026-02', later).to.toISOString())
    expect(await byMonth(shop, '2026-01')).toEqual(january)
    await expect(byMonth(shop, '2026-05')).rejects.toMatchObject({ error: 'month_out_of_order' })
  })

  test('what a first owner asked for is not closed by the old bounds: it is asked for anew', async () => {
    const shop = await open()
    const second = { ...shop, owner: await addMember(database, shop.businessId, 'owner') }
    expect(await byMonth(shop, '2026-01')).toMatchObject({ state: 'waiting', timeZone })
    await moveTo(shop.businessId, 'Asia/Kathmandu')
    expect(await byMonth(second, '2026-01')).toMatchObject({
      state: 'waiting',
      timeZone: 'Asia/Kathmandu',
      askedBy: { id: second.owner.id },
    })
    expect(await byMonth(shop, '2026-01')).toMatchObject({
      state: 'closed',
      to: monthRange('2026-01', 'Asia/Kathmandu').to.toISOString(),
    })
  })
})

test('a month before which there are entries is not the first to close', async () => {
  const shop = await open()
  await postOne(shop.businessId)
  const from = await now()
  await expect(close(shop, '2026-02', from, await now())).rejects.toMatchObject({
    status: 409,
    error: 'month_out_of_order',
  })
  expect(await close(shop, '2026-01', dayAgo, from)).toMatchObject({ state: 'closed' })
})

test('a month is confirmed only while its asker is an owner, within the time, and not by who brought that one in', async () => {
  const shop = await open()
  const second = { ...shop, owner: await addMember(database, shop.businessId, 'owner') }
  const [first, to] = [shop.owner.id, await now()]
  const ask = (by: Shop) => close(by, '2026-01', dayAgo, to)
  const waits = (by: Shop) => ({ state: 'waiting', askedBy: { id: by.owner.id }, closedBy: null })
  await database.db.query(
    'insert into member_sponsors (business_id, account_id, sponsor_id) values ($1, $2, $3)',
    [shop.businessId, second.owner.id, first],
  )
  expect(await ask(second)).toMatchObject(waits(second))
  // The first one brought the second one in: its request takes the place of the other.
  expect(await ask(shop)).toMatchObject(waits(shop))
  // Too late, by the time of an approval: the same owner asks again, and so does another one.
  const age = () =>
    database.db.query(
      "update ledger_months set asked_at = now() - interval '73 hours' where business_id = $1",
      [shop.businessId],
    )
  await age()
  const again = await ask(shop)
  expect(again).toMatchObject(waits(shop))
  expect(Date.parse(again.askedAt)).toBeGreaterThan(dayAgo.getTime())
  await age()
  expect(await ask(second)).toMatchObject(waits(second))
  // Who asked is no owner any more.
  const third = { ...shop, owner: await addMember(database, shop.businessId, 'owner') }
  const role = (name: string) =>
    database.db.query('update members set role = $3 where business_id = $1 and account_id = $2', [
      shop.businessId,
      second.owner.id,
      name,
    ])
  await role('viewer')
  expect(await ask(third)).toMatchObject(waits(third))
  expect(await ask(shop)).toMatchObject({ state: 'closed', closedBy: { id: first } })
})

test('a second owner closes what the first one asked for: another period is asked for anew', async () => {
  const shop = await open()
  const second = { ...shop, owner: await addMember(database, shop.businessId, 'owner') }
  const to = await now()
  const hourBefore = new Date(to.getTime() - 3_600_000)
  expect(await close(shop, '2026-01', dayAgo, hourBefore)).toMatchObject({ state: 'waiting' })
  expect(await close(second, '2026-01', dayAgo, to)).toMatchObject({
    state: 'waiting',
    to: to.toISOString(),
    askedBy: { id: second.owner.id },
  })
  expect(await close(shop, '2026-01', dayAgo, to)).toMatchObject({
    state: 'closed',
    to: to.toISOString(),
    askedBy: { id: second.owner.id },
    closedBy: { id: shop.owner.id },
  })
})

test('a late correction is in the next month, and names the month that it corrects', async () => {
  const shop = await open()
  const [id = ''] = await postOne(shop.businessId)
  const to = await now()
  await close(shop, '2026-01', dayAgo, to)
  await database.db.tx(async (tx) => {
    const of = { id, businessId: shop.businessId, kind: 'payout.returned', step: 2 }
    await post(tx, [await reverseEntry(tx, of)])
  })
  await postOne(shop.businessId)
  const request = { page: 1, limit: 10, sort: 'ASC' as const }
  const { entries } = await listEntries(ctx(), shop.businessId, {}, request)
  expect(entries.map(({ kind, corrects }) => [kind, corrects])).toEqual([
    ['adjustment', null],
    ['payout.returned', '2026-01'],
    ['adjustment', null],
  ])
  expect((await read(shop, dayAgo, to)).accounts).toMatchObject([{ closing: '1' }])
  expect((await read(shop, to, await now())).lines).toMatchObject([{ amount: '1' }, { amount: '-1' }])
})
