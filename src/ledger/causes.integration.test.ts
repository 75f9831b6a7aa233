import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { howMany } from '../../test/support/full.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
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
  // Sequelize logs every failed commit to the console; here they are meant to fail.
  jest.spyOn(console, 'warn').mockImplementation(() => {})
  database = await createTestDatabase(8)
  db = database.db
})
afterAll(() => database?.drop())

const asset = tokenAsset('ethereum', 'USDC')
const deposits: Account = { name: 'deposits:ethereum', businessId: null, asset }
const refused = { code: '23505', constraint: 'ledger_entries_cause' }

async function business(): Promise<string> {
  const id = newId()
  await insertBusiness(db, id, 'test')
  return id
}

const available = (businessId: string): Account => ({ name: 'available', businessId, asset })
const cause = (): Cause => ({ kind: 'session_payment', id: newId() })
/** Received money; a negative amount takes it back. */
const received = (businessId: string, of: Cause, step: number, amount: bigint): Entry => ({
  kind: 'test',
  businessId,
  cause: of,
  step,
  postings: [
    { account: deposits, amount },
    { account: available(businessId), amount: -amount },
  ],
})
const write = (...entries: Entry[]) => db.tx((tx) => post(tx, entries))

test('a second entry for a cause and step is refused, even with other content; another step and another kind of cause are not', async () => {
  const [one, other] = [await business(), await business()]
  const of = cause()
  await write(received(one, of, 1, 5n))
  await expect(write(received(one, of, 1, 5n))).rejects.toMatchObject(refused)
  await expect(write({ ...received(other, of, 1, 7n), kind: 'another' })).rejects.toMatchObject(refused)
  await expect(write(received(one, of, 2, 1n), received(one, of, 2, 1n))).rejects.toMatchObject(refused)
  await write(received(one, of, 2, 3n))
  await write(received(one, { ...of, kind: 'suspense_payment' }, 1, 2n))
  expect([await balanceOf(db, available(one)), await balanceOf(db, available(other))]).toEqual([10n, 0n])
})

test('a refusal undoes everything of its transaction', async () => {
  const businessId = await business()
  const of = cause()
  await write(received(businessId, of, 1, 5n))
  await expect(
    write(received(businessId, cause(), 1, 100n), received(businessId, of, 1, 5n)),
  ).rejects.toMatchObject(refused)
  expect(await balanceOf(db, available(businessId))).toBe(5n)
})

test('an entry without a cause or a step, or with a step below one, is refused', async () => {
  const insert =
    'insert into ledger_entries (id, kind, business_id, cause_kind, reference, step) values ($1, $2, null, $3, $4, $5)'
  await expect(db.query(insert, [newId(), 'raw', null, newId(), 1])).rejects.toThrow('not-null')
  await expect(db.query(insert, [newId(), 'raw', 'raw', newId(), null])).rejects.toThrow('not-null')
  await expect(db.query(insert, [newId(), 'raw', 'raw', newId(), 0])).rejects.toThrow(
    'ledger_entries_step_check',
  )
})

test('a reversal is refused the second time: by what is booked, and by the database if two read the same', async () => {
  const businessId = await business()
  const of = cause()
  await write(received(businessId, of, 1, 5n))
  const reversal = (step: number) =>
    db.tx((tx) => rebook(tx, { kind: 'reverted', businessId, cause: of, step }, [], () => deposits))
  const [first, second] = await Promise.all([reversal(2), reversal(2)])
  if (!first || !second) throw new Error('both must find money to take back')
  const posted = await Promise.allSettled([write(first), write(second)])
  expect(posted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(posted.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refused })
  expect(await balanceOf(db, available(businessId))).toBe(0n)
  // A worker that starts later finds nothing to take back.
  expect(await reversal(3)).toBeNull()
})

test('an entry that is posted again, at once or later, counts once for its cause and step', async () => {
  const attempt = fc.record({
    cause: fc.nat(2),
    step: fc.integer({ min: 1, max: 4 }),
    amount: fc.bigInt({ min: 1n, max: 10n ** 20n }),
  })
  // Rounds of transactions that run at the same time, each with some entries.
  const histories = fc.array(
    fc.array(fc.array(attempt, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  let refusals = 0
  await fc.assert(
    fc.asyncProperty(histories, async (rounds) => {
      const businessId = await business()
      const causes = [cause(), cause(), { ...cause(), kind: 'suspense_payment' as const }]
      const booked = new Map<string, bigint>()
      for (const round of rounds) {
        const results = await Promise.allSettled(
          round.map((attempts) =>
            // Sorted, because two that insert the same keys in opposite order would deadlock; a cause's row
            // is locked in the product.
            write(
              ...attempts
                .toSorted((a, b) => a.cause - b.cause || a.step - b.step)
                .map((each) => received(businessId, causes[each.cause] as Cause, each.step, each.amount)),
            ),
          ),
        )
        for (const [index, result] of results.entries()) {
          if (result.status === 'rejected') {
            expect(result.reason).toMatchObject(refused)
            refusals++
            continue
          }
          for (const { cause, step, amount } of round[index] ?? []) {
            const key = `${cause}/${step}`
            expect([key, booked.get(key)]).toEqual([key, undefined])
            booked.set(key, amount)
          }
        }
      }
      expect(await balanceOf(db, available(businessId))).toBe(
        [...booked.values()].reduce((sum, amount) => sum + amount, 0n),
      )
    }),
    // A failure leaves its rows in the ledger, so it must not shrink.
    { numRuns: howMany(25, 500), endOnFailure: true },
  )
  expect(refusals).toBeGreaterThan(20)
})
