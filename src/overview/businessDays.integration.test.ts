import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeTaking, makeUnpaid } from '../../test/support/madeTakings.ts'
import { plainTakings } from '../../test/support/plainTakings.ts'
import { formatUnits } from '../money/amount.ts'
import { dayRanges } from '../platform/dayRanges.ts'
import { newId } from '../platform/ids.ts'
import { readVolumes } from '../sessions/volumes.ts'
import { type BusinessDay, readDays } from './businessDays.ts'
import { foldTaken } from './foldTaken.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(20)
})
afterAll(() => database?.drop())

async function newBusiness(): Promise<string> {
  const id = newId()
  await insertBusiness(database.db, id)
  return id
}
const daysOf = (timeZone: string) => dayRanges(timeZone, 4, new Date())

async function expectSame(businessId: string): Promise<void> {
  for (const [timeZone, currency] of [
    ['Asia/Kathmandu', 'NGN'],
    ['UTC', 'USD'],
  ] as const) {
    const of = { businessId, currency, days: daysOf(timeZone) }
    const [read, plain] = [await readDays(database.db, of), await plainTakings(database.db, of)]
    expect(numbers(read)).toEqual(numbers(plain))
  }
  await expectSameVolume(businessId)
}

/** The operator's volumes are of the same sums. */
async function expectSameVolume(businessId: string): Promise<void> {
  const days = dayRanges('UTC', 30, new Date())
  const plain = [...(await plainTakings(database.db, { businessId, currency: 'USD', days })).values()]
  const volumeOf = (of: BusinessDay[]) => {
    const rows = of.flatMap(({ taken }) => taken)
    const cents = rows.reduce((sum, { units }) => sum + BigInt(units), 0n) / 10_000n
    const payments = rows.reduce((sum, row) => sum + row.payments, 0)
    return { payments, dollars: formatUnits(cents, 2) }
  }
  expect((await readVolumes(database.db, [businessId])).get(businessId)).toMatchObject({
    today: volumeOf(plain.slice(-1)),
    days30: volumeOf(plain),
  })
}
/** Without the zeros at the end of decimals, which say nothing. */
const numbers = (days: Awaited<ReturnType<typeof readDays>>) =>
  [...days].map(([day, { taken, unpaid }]) => [
    day,
    unpaid,
    taken.map((row) => ({ ...row, local: row.local.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') })),
  ])

/** What may become of a session, as its row shows it. */
const changes = {
  paid: "status = 'paid', paid_at = now() - $2 * interval '1 minute'",
  paidOut: "status = 'paid_out'",
  reversed: "status = 'pending', paid_at = null, amount_settled = 0, amount_received = 0",
  expired: "status = 'expired', paid_at = null, expires_at = now() - $2 * interval '1 minute'",
  cancelled: "status = 'cancelled', paid_at = null, cancelled_at = now() - $2 * interval '1 minute'",
  late: "status = 'expired', exception = 'late', amount_received = $2",
  less: 'amount_settled = $2',
  tolerated: 'amount_tolerated = least(amount_expected - 1, $2)',
  more: 'amount_settled = amount_expected + $2',
  accepted: 'amount_accepted = $2',
  credited: 'amount_credited = amount_expected + $2',
  nothing: 'label = $2::text',
} as const
const change = fc.record({
  which: fc.nat({ max: 5 }),
  what: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
  by: fc.integer({ min: 1, max: 4000 }),
  folds: fc.boolean(),
})

describe('what was taken by day', () => {
  test('is what the sessions say, after any changes of them, folded or not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 25 }), async (all) => {
        const businessId = await newBusiness()
        const ids: string[] = []
        for (const local of [
          undefined,
          { amount: '1550.37', currency: 'NGN' },
          { amount: '7', currency: 'GHS' },
        ])
          for (const chain of ['ethereum', 'base'])
            ids.push(
              await makeTaking(database.db, businessId, {
                at: new Date(Date.now() - 3_600_000),
                amount: 0.0031,
                chain,
                ...(local && { local }),
              }),
            )
        for (const { which, what, by, folds } of all) {
          const values = changes[what].includes('$2') ? [ids[which], by] : [ids[which]]
          await database.db.query(`update pos_sessions set ${changes[what]} where id = $1`, values)
          if (folds) await foldTaken(database.db)
        }
        await expectSame(businessId)
      }),
      { numRuns: 25 },
    )
  })

  test('is exact while many sessions of one business change and are folded, and none waits for another', async () => {
    const businessId = await newBusiness()
    const ids = await Promise.all(
      Array.from({ length: 12 }, () => makeTaking(database.db, businessId, { at: new Date(), amount: 3 })),
    )
    let goesOn = true
    const folding = (async () => {
      while (goesOn) await foldTaken(database.db)
    })()
    await Promise.all(
      ids.map(async (id, index) => {
        for (let n = 1; n <= 10; n++)
          await database.db.query('update pos_sessions set amount_settled = $2 where id = $1', [
            id,
            index + n,
          ])
      }),
    )
    // Two transactions hold their changes at once.
    await database.db.tx(async (one) => {
      await one.query('update pos_sessions set amount_settled = 500 where id = $1', [ids[0]])
      await database.db.tx(async (other) => {
        await other.query("set local lock_timeout = '2s'")
        await other.query('update pos_sessions set amount_settled = 600 where id = $1', [ids[1]])
      })
    })
    goesOn = false
    await folding
    await expectSame(businessId)
    await foldTaken(database.db)
    await expectSame(businessId)
    expect(
      await database.db.query('select 1 from taken_changes where business_id = $1', [businessId]),
    ).toEqual([])
  })

  test('is noted once by a change that counts, and not at all by another', async () => {
    const businessId = await newBusiness()
    const noted = async () =>
      (await database.db.query('select 1 from taken_changes where business_id = $1', [businessId])).length
    const id = await makeTaking(database.db, businessId, { at: new Date(), amount: 1 })
    expect(await noted()).toBe(1)
    await database.db.query("update pos_sessions set label = 'Table 4', status = 'paid_out' where id = $1", [
      id,
    ])
    expect(await noted()).toBe(1)
    await makeUnpaid(database.db, businessId, { at: new Date() })
    await database.db.query('delete from pos_sessions where id = $1', [id])
    await expectSame(businessId)
  })
})
