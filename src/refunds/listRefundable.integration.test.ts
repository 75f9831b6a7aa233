import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makeDestination } from '../../test/support/madeDestination.ts'
import { makePayout } from '../../test/support/madePayout.ts'
import { moveMade, refundMade, settleMade, someAddress } from '../../test/support/madeRefunds.ts'
import { type MadeSession, makePayment, makeSession, takeAway } from '../../test/support/madeSessions.ts'
import { chains, createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { settling } from '../../test/support/settling.ts'
import { formatUnits, parseUnits } from '../money/amount.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { resolveSession } from '../sessions/resolveSession.ts'
import { listRefunds } from './listRefunds.ts'
import type { RefundRequest } from './readRefundRequest.ts'

// What is offered can be done: a refund of all that is offered is made, one of a unit more is refused with
// the amount that is there.

const asset = { chain: 'ethereum', token: 'USDC' } as const
const million = 1_000_000n
let database: TestDatabase
let db: ModelDb
let businessId: string
beforeAll(async () => {
  database = await createSessionDatabase()
  db = database.db
})
afterAll(() => database?.drop())
beforeEach(async () => {
  businessId = newId()
  await insertBusiness(db, businessId)
})

const offered = async ({ id }: MadeSession) =>
  (await listRefunds({ db }, businessId, id, {}, { page: 1, limit: 20, sort: 'DESC', cursor: undefined }))
    .refundable
const refund = ({ id }: MadeSession, wanted: RefundRequest) =>
  refundMade(db, businessId, id, { toAddress: someAddress(), ...wanted })
/** A session of 10 USDC that got this much, settled. */
async function paid(came: bigint) {
  const session = await makeSession(db, businessId, 10n * million)
  const payment = await makePayment(db, session, { amount: came })
  await settleMade(db, session.id)
  return { ...session, payment }
}
const accept = ({ id }: MadeSession) =>
  resolveSession({ ...settling, db, chains }, businessId, id, 'accept', async () => {})
const payOut = async (amount: bigint) =>
  makePayout(db, businessId, await makeDestination(db, businessId), { amount })

const ways: [string, () => Promise<MadeSession>, amount: string, amountNow: string][] = [
  ['all is there', () => paid(10n * million), '10', '10'],
  [
    'a part was paid out',
    async () => {
      const session = await paid(10n * million)
      await payOut(7n * million)
      return session
    },
    '10',
    '3',
  ],
  [
    'all was paid out, and an excess is held',
    async () => {
      const session = await paid(14n * million)
      await payOut(10n * million)
      return session
    },
    '14',
    '4',
  ],
  [
    'the business owes, and an excess is held',
    async () => {
      const [session, other] = [await paid(14n * million), await paid(10n * million)]
      await payOut(20n * million)
      await takeAway(db, other.payment)
      await settleMade(db, other.id)
      return session
    },
    '14',
    '4',
  ],
  [
    'an excess was accepted, more came, and all that was accepted was paid out',
    async () => {
      const session = await paid(15n * million)
      await accept(session)
      await makePayment(db, session, { amount: 3n * million })
      await settleMade(db, session.id)
      await payOut(15n * million)
      return session
    },
    '18',
    '3',
  ],
  [
    'a part goes back already, and other money came',
    async () => {
      const session = await paid(10n * million)
      await refund(session, { amount: '4' })
      const failed = await refund(session, { amount: '1' })
      await moveMade(db, failed.id, 'cancelled')
      await paid(10n * million)
      return session
    },
    '6',
    '6',
  ],
]

test.each(ways)('where %s', async (_what, make, amount, amountNow) => {
  const session = await make()
  expect(await offered(session)).toEqual([{ ...asset, amount, amountNow }])
  const more = formatUnits((parseUnits(amountNow, 6) ?? 0n) + 1n, 6)
  const refused = await refund(session, { amount: more }).then(
    () => null,
    (error: unknown) => error,
  )
  if (amount === amountNow) expect(refused).toMatchObject({ error: 'amount_exceeds_rest' })
  else
    expect(refused).toMatchObject({
      error: 'insufficient_funds',
      message: expect.stringContaining(`only ${amountNow} of ${more} USDC`),
    })
  expect(await refund(session, { amount: amountNow })).toMatchObject({ amount: amountNow })
})

test('nothing is offered while a session is pending, nor when all went back', async () => {
  const pending = await makeSession(db, businessId, 10n * million)
  await makePayment(db, pending, { amount: 5n * million })
  await settleMade(db, pending.id)
  expect(await offered(pending)).toEqual([])
  const session = await paid(10n * million)
  await refund(session, { kind: 'whole' })
  expect(await offered(session)).toEqual([])
})

test('where all was paid out, 0 is offered', async () => {
  const session = await paid(10n * million)
  await payOut(10n * million)
  expect(await offered(session)).toEqual([{ ...asset, amount: '10', amountNow: '0' }])
})

test("an excess that is held covers the session's own asset alone", async () => {
  const session = await paid(14n * million)
  await makePayment(db, session, { amount: 4n * million, token: 'USDT' })
  await settleMade(db, session.id)
  await payOut(10n * million)
  const usdt = { chain: 'ethereum', token: 'USDT' }
  const wallet = { ...usdt, address: someAddress(), memo: null, amount: 3_990_000n }
  await makePayout(db, businessId, await makeDestination(db, businessId), {
    ...usdt,
    amount: 4n * million,
    wallet,
  })
  expect(await offered(session)).toEqual([
    { ...asset, amount: '14', amountNow: '4' },
    { ...usdt, amount: '4', amountNow: '0' },
  ])
})
