import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import type { Account } from './account.ts'
import { balanceOf } from './balance.ts'
import { adjusted, exchanged, penalised } from './entries.ts'
import { type Cause, type Entry, tokenAsset } from './entry.ts'
import { post } from './post.ts'
import { posted, released, reserved } from './reservation.ts'
import { reverseEntry } from './reverseEntry.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  // Sequelize logs every failed commit to the console; here they are meant to fail.
  jest.spyOn(console, 'warn').mockImplementation(() => {})
  database = await createTestDatabase(8)
  db = database.db
})
afterAll(() => database?.drop())

const usdc = tokenAsset('ethereum', 'USDC')
type BusinessName = Extract<Account, { businessId: string }>['name']
type PlatformName = Extract<Account, { businessId: null }>['name']
const cause = (kind: Cause['kind']): Cause => ({ kind, id: newId() })
const payout = (businessId: string) => ({ businessId, cause: { kind: 'payout', id: newId() } as const })
const platform = (name: PlatformName, asset = usdc): Account => ({ name, businessId: null, asset })
const of = (businessId: string, name: BusinessName, asset = usdc): Account => ({ name, businessId, asset })
const balances = (accounts: Record<string, Account>) =>
  Promise.all(
    Object.entries(accounts).map(async ([key, account]) => [key, await balanceOf(db, account)] as const),
  ).then(Object.fromEntries)
const write = (...entries: Entry[]) => db.tx((tx) => post(tx, entries))
const end = (build: (tx: Parameters<Parameters<Db['tx']>[0]>[0]) => Promise<Entry>) =>
  db.tx(async (tx) => post(tx, [await build(tx)]))

/** A business with money. */
async function business(amount: bigint, asset = usdc): Promise<string> {
  const id = newId()
  await insertBusiness(db, id)
  await write(
    adjusted({
      cause: cause('adjustment'),
      step: 1,
      debit: platform('deposits:ethereum', asset),
      credit: of(id, 'available', asset),
      amount,
    }),
  )
  return id
}

describe('a reservation', () => {
  const standing = (id: string) =>
    balances({
      available: of(id, 'available'),
      held: of(id, 'payouts_held'),
      receivable: of(id, 'receivable'),
    })

  test('holds money, and ends posted: it left the treasury, and a fee stays', async () => {
    const id = await business(100n)
    const before = await balances({ treasury: platform('treasury:ethereum'), fees: platform('fees') })
    const one = payout(id)
    await write(reserved(one, usdc, 60n))
    expect(await standing(id)).toEqual({ available: 40n, held: 60n, receivable: 0n })
    await end((tx) =>
      posted(tx, one, [
        { account: platform('treasury:ethereum'), amount: -59n },
        { account: platform('fees'), amount: -1n },
      ]),
    )
    expect(await standing(id)).toEqual({ available: 40n, held: 0n, receivable: 0n })
    expect(await balances({ treasury: platform('treasury:ethereum'), fees: platform('fees') })).toEqual({
      treasury: before.treasury - 59n,
      fees: before.fees + 1n,
    })
  })

  test('that is released goes back, and pays a debt first', async () => {
    const id = await business(100n)
    const one = payout(id)
    await write(reserved(one, usdc, 60n))
    await write({
      ...adjusted({
        cause: cause('adjustment'),
        step: 1,
        debit: of(id, 'available'),
        credit: platform('deposits:ethereum'),
        amount: 50n,
      }),
      mayOwe: true,
    })
    expect(await standing(id)).toEqual({ available: 0n, held: 60n, receivable: 10n })
    await end((tx) => released(tx, one))
    expect(await standing(id)).toEqual({ available: 50n, held: 0n, receivable: 0n })
  })

  test('ends once: a second end, of either kind, is refused by the database, also at the same time', async () => {
    const id = await business(100n)
    const refused = { code: '23505', constraint: 'ledger_entries_cause' }
    const [one, two] = [payout(id), payout(id)]
    // More is held than one of them, so that the balance alone would not refuse it.
    await write(reserved(one, usdc, 30n))
    await write(reserved(two, usdc, 70n))
    const ends = () => [
      end((tx) => posted(tx, one, [{ account: platform('treasury:ethereum'), amount: -30n }])),
      end((tx) => released(tx, one)),
    ]
    const results = await Promise.allSettled([...ends(), ...ends()])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject(refused)
    for (const again of ends()) await expect(again).rejects.toMatchObject(refused)
    expect((await standing(id)).held).toBe(70n)
  })

  test('is refused where money is missing; an end without one, or of another business, is an error', async () => {
    const [id, other] = [await business(10n), await business(10n)]
    await expect(write(reserved(payout(id), usdc, 11n))).rejects.toMatchObject({
      code: 'insufficient_funds',
      missing: 1n,
    })
    const one = payout(id)
    await expect(end((tx) => released(tx, one))).rejects.toThrow('nothing is reserved')
    await write(reserved(one, usdc, 10n))
    await expect(end((tx) => released(tx, { ...one, businessId: other }))).rejects.toThrow(
      'nothing is reserved',
    )
    await expect(
      end((tx) => posted(tx, one, [{ account: platform('treasury:ethereum'), amount: -9n }])),
    ).rejects.toThrow('does not balance')
    expect(await standing(id)).toEqual({ available: 0n, held: 10n, receivable: 0n })
  })
})

describe('a reversal', () => {
  test('takes an entry back once; the second is refused by the database, also at the same time', async () => {
    const id = await business(100n)
    const one = payout(id)
    await write(reserved(one, usdc, 100n))
    const before = await balanceOf(db, platform('treasury:ethereum'))
    const [entry = ''] = await end((tx) =>
      posted(tx, one, [{ account: platform('treasury:ethereum'), amount: -100n }]),
    )
    const back = (step: number) =>
      end((tx) => reverseEntry(tx, { id: entry, businessId: id, kind: 'payout.returned', step }))
    const results = await Promise.allSettled([back(3), back(4), back(5)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: '23505', constraint: 'ledger_entries_reverses' })
    expect(
      await balances({ treasury: platform('treasury:ethereum'), available: of(id, 'available') }),
    ).toEqual({ treasury: before, available: 100n })
  })

  test('of a credit takes what is left, and the rest is owed, even where the credit paid a debt', async () => {
    const id = await business(10n)
    const [credit = ''] = await write(
      adjusted({
        cause: cause('adjustment'),
        step: 1,
        debit: platform('deposits:ethereum'),
        credit: of(id, 'available'),
        amount: 50n,
      }),
    )
    await write(reserved(payout(id), usdc, 45n))
    await end((tx) => reverseEntry(tx, { id: credit, businessId: id, kind: 'adjustment.reversed', step: 2 }))
    expect(await balances({ available: of(id, 'available'), receivable: of(id, 'receivable') })).toEqual({
      available: 0n,
      receivable: 35n,
    })
  })

  test("is refused for a stranger's entry, for a reservation and for its release", async () => {
    const [id, stranger] = [await business(10n), await business(10n)]
    const one = payout(id)
    const [entry = ''] = await write(reserved(one, usdc, 10n))
    await expect(
      end((tx) => reverseEntry(tx, { id: entry, businessId: stranger, kind: 'x', step: 3 })),
    ).rejects.toMatchObject({ status: 404 })
    await expect(
      end((tx) => reverseEntry(tx, { id: entry, businessId: id, kind: 'x', step: 3 })),
    ).rejects.toThrow('is payout.reserved')
    const [release = ''] = await end((tx) => released(tx, one))
    await expect(
      end((tx) => reverseEntry(tx, { id: release, businessId: id, kind: 'x', step: 3 })),
    ).rejects.toThrow('is payout.released')
  })
})

test('an exchange balances in each asset; the platform has the position, and the rounding by name', async () => {
  const usdt = tokenAsset('tron', 'USDT')
  const id = await business(1000n)
  await write(
    exchanged({
      cause: cause('exchange'),
      step: 1,
      businessId: id,
      gives: { asset: usdc, amount: 1000n },
      gets: { asset: usdt, amount: 996n, rounding: 1n },
    }),
  )
  expect(
    await balances({
      given: of(id, 'available'),
      got: of(id, 'available', usdt),
      long: platform('exchange'),
      short: platform('exchange', usdt),
      rounding: platform('rounding', usdt),
    }),
  ).toEqual({ given: 0n, got: 996n, long: 1000n, short: -997n, rounding: 1n })
})

test('a penalty comes off the stake, and never exceeds it', async () => {
  const id = await business(100n)
  await write(
    adjusted({
      cause: cause('adjustment'),
      step: 1,
      debit: of(id, 'available'),
      credit: of(id, 'stakes'),
      amount: 100n,
    }),
  )
  const before = await balanceOf(db, platform('penalties'))
  await write(penalised({ cause: cause('adjustment'), step: 1, businessId: id, asset: usdc, amount: 30n }))
  expect(await balances({ stakes: of(id, 'stakes'), penalties: platform('penalties') })).toEqual({
    stakes: 70n,
    penalties: before + 30n,
  })
  await expect(
    write(penalised({ cause: cause('adjustment'), step: 1, businessId: id, asset: usdc, amount: 71n })),
  ).rejects.toMatchObject({
    constraint: 'ledger_balances_not_negative',
  })
})
