import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { newId } from '../platform/ids.ts'
import type { Account } from './account.ts'
import { availableAfter } from './availableAfter.ts'
import { balanceOf } from './balance.ts'
import { type Entry, tokenAsset } from './entry.ts'
import { lockedFor } from './lockedAccounts.ts'
import { sendEntries } from './post.ts'
import { reserved } from './reservation.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const asset = tokenAsset('ethereum', 'USDC')
const deposits: Account = { name: 'deposits:ethereum', businessId: null, asset }

async function business() {
  const businessId = newId()
  await insertBusiness(database.db, businessId)
  const of = (name: 'available' | 'payouts_held'): Account => ({ name, businessId, asset })
  const credit = (amount: bigint): Entry => ({
    kind: 'test',
    businessId,
    cause: { kind: 'session_payment', id: newId() },
    step: 1,
    postings: [
      { account: deposits, amount },
      { account: of('available'), amount: -amount },
    ],
  })
  const hold = (amount: bigint) =>
    reserved({ businessId, cause: { kind: 'payout', id: newId() } }, asset, amount)
  const balances = () =>
    Promise.all([of('available'), of('payouts_held')].map((account) => balanceOf(database.db, account)))
  return { businessId, asset, of, credit, hold, balances }
}

test('entries are posted with the commit, to accounts that were locked before all of them were known', async () => {
  const { credit, hold, of, balances, ...own } = await business()
  await database.db.tx(async (tx) => {
    const first = [credit(5n)]
    const locked = await lockedFor(tx, first, [of('available'), of('payouts_held')])
    expect(availableAfter(locked, first, own)).toBe(5n)
    sendEntries(tx, [...first, hold(3n)], locked)
  })
  expect(await balances()).toEqual([2n, 3n])
})

test('an entry that takes more than there is is refused, with all of the transaction', async () => {
  const { credit, hold, balances } = await business()
  const posted = database.db.tx(async (tx) => {
    const entries = [credit(5n), hold(6n)]
    sendEntries(tx, entries, await lockedFor(tx, entries))
  })
  await expect(posted).rejects.toMatchObject({ code: 'insufficient_funds', missing: 1n })
  expect(await balances()).toEqual([0n, 0n])
})

test('an account that is not locked is refused: its balance may change until the entry is posted', async () => {
  const { credit, hold, of, balances, ...own } = await business()
  const decided = database.db.tx(async (tx) =>
    availableAfter(await lockedFor(tx, [], [of('payouts_held')]), [], own),
  )
  await expect(decided).rejects.toThrow('available ethereum:USDC of business')
  const available = database.db.tx(async (tx) =>
    sendEntries(tx, [credit(5n)], await lockedFor(tx, [], [of('payouts_held'), deposits])),
  )
  await expect(available).rejects.toThrow('available ethereum:USDC of business')
  const held = database.db.tx(async (tx) => {
    const first = [credit(5n)]
    sendEntries(tx, [...first, hold(3n)], await lockedFor(tx, first))
  })
  await expect(held).rejects.toThrow('payouts_held ethereum:USDC of business')
  expect(await balances()).toEqual([0n, 0n])
})
