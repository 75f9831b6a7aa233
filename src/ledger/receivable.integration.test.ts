import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import type { Account } from './account.ts'
import { balanceOf } from './balance.ts'
import { type Cause, type Entry, tokenAsset } from './entry.ts'
import { post } from './post.ts'
import { rebook } from './rebook.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase(8)
  db = database.db
})
afterAll(() => database?.drop())

const asset = tokenAsset('ethereum', 'USDC')
const deposits: Account = { name: 'deposits:ethereum', businessId: null, asset }
const of = (name: 'available' | 'receivable' | 'payouts_held', businessId: string): Account => ({
  name,
  businessId,
  asset,
})

async function business(): Promise<string> {
  const id = newId()
  await insertBusiness(db, id)
  return id
}

/** A payment, with the step of its last entry. */
const payment = () => ({ cause: { kind: 'session_payment', id: newId() } as Cause, step: 0 })
type Payment = ReturnType<typeof payment>

/** What a payment is worth now: null takes it back. */
async function book(businessId: string, ...changes: [Payment, bigint | null][]): Promise<void> {
  await db.tx(async (tx) => {
    const entries: Entry[] = []
    for (const [each, amount] of changes) {
      const wanted = amount === null ? [] : [{ account: of('available', businessId), amount }]
      const entry = await rebook(
        tx,
        { kind: 'test', businessId, cause: each.cause, step: ++each.step },
        wanted,
        () => deposits,
      )
      if (entry) entries.push(entry)
    }
    await post(tx, entries)
  })
}

/** Holds money of the business for a payout. */
const hold = (businessId: string, amount: bigint) =>
  db.tx((tx) =>
    post(tx, [
      {
        kind: 'test',
        businessId,
        cause: { kind: 'payout', id: newId() },
        step: 1,
        postings: [
          { account: of('available', businessId), amount },
          { account: of('payouts_held', businessId), amount: -amount },
        ],
      },
    ]),
  )

const standing = async (businessId: string) => ({
  available: await balanceOf(db, of('available', businessId)),
  receivable: await balanceOf(db, of('receivable', businessId)),
})

test('a reversal takes what is there, and the rest becomes receivable; later credits pay it first', async () => {
  const id = await business()
  const [first, second] = [payment(), payment()]
  await book(id, [first, 100n])
  await hold(id, 70n)
  await book(id, [first, null])
  expect(await standing(id)).toEqual({ available: 0n, receivable: 70n })
  await book(id, [second, 50n])
  expect(await standing(id)).toEqual({ available: 0n, receivable: 20n })
  await book(id, [payment(), 45n])
  expect(await standing(id)).toEqual({ available: 25n, receivable: 0n })
})

test('a fork that brings the money back undoes the reversal, also after another credit paid the debt', async () => {
  const id = await business()
  const first = payment()
  await book(id, [first, 100n])
  await hold(id, 100n)
  await book(id, [first, null])
  await book(id, [first, 100n])
  expect(await standing(id)).toEqual({ available: 0n, receivable: 0n })
  await book(id, [first, null], [payment(), 30n])
  expect(await standing(id)).toEqual({ available: 0n, receivable: 70n })
  await book(id, [first, 100n])
  expect(await standing(id)).toEqual({ available: 30n, receivable: 0n })
})

test('a payment that paid a debt is taken back whole', async () => {
  const id = await business()
  const [first, second] = [payment(), payment()]
  await book(id, [first, 100n])
  await hold(id, 100n)
  await book(id, [first, null])
  await book(id, [second, 40n])
  await book(id, [second, null])
  expect(await standing(id)).toEqual({ available: 0n, receivable: 100n })
  // Nothing is left of either.
  await book(id, [first, null], [second, null])
  expect(await standing(id)).toEqual({ available: 0n, receivable: 100n })
})

test('several entries of one transaction see each other: the second finds what the first left', async () => {
  const id = await business()
  const [first, second, third] = [payment(), payment(), payment()]
  await book(id, [first, 60n], [second, 40n])
  await hold(id, 90n)
  await book(id, [first, null], [second, null], [third, 95n])
  expect(await standing(id)).toEqual({ available: 5n, receivable: 0n })
  const lines = await db.query<{ reference: string; name: string; amount: string }>(
    `select e.reference, a.name, p.amount from ledger_postings p join ledger_entries e on e.id = p.entry_id join ledger_accounts a on a.id = p.account_id
     where e.business_id = $1 and e.cause_kind = 'session_payment' and a.business_id = $1
       and (e.step = 2 or e.reference = $2) order by e.id, a.name`,
    [id, third.cause.id],
  )
  expect(lines.map(({ reference, name, amount }) => [reference, name, amount])).toEqual([
    [first.cause.id, 'available', '10'],
    [first.cause.id, 'receivable', '50'],
    [second.cause.id, 'receivable', '40'],
    [third.cause.id, 'available', '-5'],
    [third.cause.id, 'receivable', '-90'],
  ])
})

test('a correction to a smaller amount owes only the difference', async () => {
  const id = await business()
  const first = payment()
  await book(id, [first, 100n])
  await hold(id, 100n)
  await book(id, [first, 80n])
  expect(await standing(id)).toEqual({ available: 0n, receivable: 20n })
})

test('a debit that may not owe is refused with what is missing, and changes nothing', async () => {
  const id = await business()
  await book(id, [payment(), 100n])
  await expect(hold(id, 101n)).rejects.toMatchObject({
    code: 'insufficient_funds',
    businessId: id,
    asset,
    missing: 1n,
  })
  expect(await standing(id)).toEqual({ available: 100n, receivable: 0n })
  await hold(id, 100n)
})

test('a debt of one business or asset is not paid by another', async () => {
  const [id, other] = [await business(), await business()]
  const first = payment()
  await book(id, [first, 100n])
  await hold(id, 100n)
  await book(id, [first, null])
  await book(other, [payment(), 100n])
  expect([await standing(id), await standing(other)]).toEqual([
    { available: 0n, receivable: 100n },
    { available: 100n, receivable: 0n },
  ])
})

test('a credit waits for a reversal that is not committed yet, and pays what it left owed', async () => {
  const id = await business()
  const first = payment()
  await book(id, [first, 100n])
  await hold(id, 100n)
  let credit: Promise<void> | undefined
  await db.tx(async (tx) => {
    const entry = await rebook(
      tx,
      { kind: 'test', businessId: id, cause: first.cause, step: ++first.step },
      [],
      () => deposits,
    )
    if (entry) await post(tx, [entry])
    credit = book(id, [payment(), 30n])
    await waitFor('the credit to wait', async () => {
      const waiting = await db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length > 0
    })
  })
  await credit
  expect(await standing(id)).toEqual({ available: 0n, receivable: 70n })
})

test('of credits and reversals at once, each pays what is owed when its turn comes: a business never has money and a debt', async () => {
  const id = await business()
  const payments = Array.from({ length: 12 }, payment)
  await book(id, ...payments.map((each): [Payment, bigint] => [each, 10n]))
  await hold(id, 120n)
  await Promise.all(
    payments.flatMap((each, i) => [book(id, [payment(), BigInt(i + 1)]), book(id, [each, null])]),
  )
  // 120 held, of which 78 came back.
  expect(await standing(id)).toEqual({ available: 0n, receivable: 42n })
})
