import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { moveMade, refundMade, settleMade, someAddress } from '../../test/support/madeRefunds.ts'
import {
  confirm,
  type MadeSession,
  makePayment,
  makeSession,
  takeAway,
} from '../../test/support/madeSessions.ts'
import { chains, createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { settling } from '../../test/support/settling.ts'
import type { BusinessAccountName } from '../ledger/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import type { RefundRequest } from '../refunds/readRefundRequest.ts'
import { creditHeld } from './creditHeld.ts'
import { getSession } from './getSession.ts'
import { resolveSession } from './resolveSession.ts'

// An excess: it stays pending until it is refunded, accepted, or its time is over.

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
  await db.query("insert into businesses (id, name, fee_percent) values ($1, 'A shop', 1)", [businessId])
})

const balance = (name: BusinessAccountName) => balanceOf(db, { name, businessId, asset: 'ethereum:USDC' })
/** Available, pending, held for what leaves, owed. */
const books = async () =>
  [
    await balance('available'),
    await balance('pending'),
    await balance('payouts_held'),
    await balance('receivable'),
  ].map(Number)
const settle = ({ id }: MadeSession) => settleMade(db, id)
const view = ({ id }: MadeSession) => getSession({ db, chains, checkoutUrl }, businessId, id)
const refund = (session: MadeSession, wanted: RefundRequest) =>
  refundMade(db, businessId, session.id, { toAddress: someAddress(), ...wanted })
const accept = ({ id }: MadeSession) =>
  resolveSession({ ...settling, db, chains }, businessId, id, 'accept', async () => {})
/** A session of 100 that got 190, in two payments. */
async function overpaid() {
  const session = await makeSession(db, businessId, 100n)
  await makePayment(db, session, { amount: 120n, at: new Date(Date.now() - 2000) })
  const second = await makePayment(db, session, { amount: 70n, at: new Date(Date.now() - 1000) })
  await settle(session)
  return { ...session, second }
}
/** Everything that the business can use leaves. */
const spend = (amount: number) =>
  db.tx(async (tx) => {
    const { post } = await import('../ledger/post.ts')
    const [available, held] = (['available', 'payouts_held'] as const).map(
      (name) => ({ name, businessId, asset: 'ethereum:USDC' }) as const,
    )
    if (!available || !held) return
    const postings = [
      { account: available, amount: BigInt(amount) },
      { account: held, amount: -BigInt(amount) },
    ]
    await post(tx, [
      { kind: 'payout.reserved', businessId, cause: { kind: 'payout', id: newId() }, step: 1, postings },
    ])
  })
const periodOver = async (session: MadeSession) => {
  await db.query("update pos_sessions set held_until = now() - interval '1 second' where id = $1", [
    session.id,
  ])
  await creditHeld(db)
  await settle(session)
}

test('it stays pending, and the session shows how much and until when', async () => {
  const session = await overpaid()
  expect(await books()).toEqual([100, 90, 0, 0])
  const { held, status, exception } = await view(session)
  expect([status, exception, held?.amount]).toEqual(['paid', 'overpaid', '0.00009'])
  const days = (Date.parse(held?.until ?? '') - Date.now()) / 86_400_000
  expect(Math.abs(days - 30)).toBeLessThan(0.01)
  await settle(session)
  expect([await books(), (await view(session)).held]).toEqual([[100, 90, 0, 0], held])
})

test('for as long as the business has set it, at the time when the money comes', async () => {
  const daysOf = async (session: MadeSession) =>
    Math.round((Date.parse((await view(session)).held?.until ?? '') - Date.now()) / 86_400_000)
  await db.query(
    'insert into payout_settings (business_id, cooling_off_hours, excess_hold_days) values ($1, 24, 60)',
    [businessId],
  )
  const long = await overpaid()
  await db.query(
    `update payout_settings set next_excess_hold_days = 3, next_excess_hold_from = now() + interval '1 hour' where business_id = $1`,
    [businessId],
  )
  const waiting = await overpaid()
  await db.query('update payout_settings set next_excess_hold_from = now() where business_id = $1', [
    businessId,
  ])
  const short = await overpaid()
  await settle(long)
  expect(await Promise.all([long, waiting, short].map(daysOf))).toEqual([60, 60, 3])
})

test('a refund takes it, also where the business has spent the rest, and where it owes', async () => {
  const session = await overpaid()
  await spend(100)
  await expect(refund(session, { kind: 'whole' })).rejects.toMatchObject({ error: 'insufficient_funds' })
  expect(await books()).toEqual([0, 90, 100, 0])
  const other = await makeSession(db, businessId, 50n)
  const gone = await makePayment(db, other, { amount: 50n })
  await settle(other)
  await spend(50)
  await takeAway(db, gone)
  await settle(other)
  expect(await books()).toEqual([0, 90, 150, 50])
  const { id } = await refund(session, { kind: 'excess' })
  expect([await books(), (await view(session)).held]).toEqual([[0, 0, 240, 50], undefined])
  await settle(session)
  expect(await books()).toEqual([0, 0, 240, 50])
  await moveMade(db, id, 'cancelled')
  await settle(session)
  expect([await books(), (await view(session)).held?.amount]).toEqual([[0, 90, 150, 50], '0.00009'])
})

test('a part of it goes back, then more than the rest of it', async () => {
  const session = await overpaid()
  await refund(session, { amount: '0.00004' })
  expect(await books()).toEqual([100, 50, 40, 0])
  await settle(session)
  expect([await books(), (await view(session)).held?.amount]).toEqual([[100, 50, 40, 0], '0.00005'])
  await refund(session, { amount: '0.00006' })
  expect(await books()).toEqual([90, 0, 100, 0])
  await settle(session)
  expect(await books()).toEqual([90, 0, 100, 0])
})

test('accepting it gives it to the business, and what comes afterwards is held again', async () => {
  const session = await overpaid()
  expect(await accept(session)).toMatchObject({
    status: 'paid',
    resolution: 'accepted',
    exception: 'overpaid',
  })
  expect([await books(), (await view(session)).held]).toEqual([[190, 0, 0, 0], undefined])
  await expect(accept(session)).rejects.toMatchObject({ error: 'session_paid' })
  await makePayment(db, session, { amount: 7n })
  await settle(session)
  expect([await books(), (await view(session)).held?.amount]).toEqual([[190, 7, 0, 0], '0.000007'])
})

test('a refund takes first what came after an acceptance, and what came before it was refunded stays out of what is accepted', async () => {
  const session = await overpaid()
  await refund(session, { amount: '0.00003' })
  await accept(session)
  expect(await books()).toEqual([160, 0, 30, 0])
  await makePayment(db, session, { amount: 7n })
  await settle(session)
  expect(await books()).toEqual([160, 7, 30, 0])
  const back = await refund(session, { amount: '0.000005' })
  expect(await books()).toEqual([160, 2, 35, 0])
  await settle(session)
  expect(await books()).toEqual([160, 2, 35, 0])
  await moveMade(db, back.id, 'cancelled')
  await settle(session)
  expect(await books()).toEqual([160, 7, 30, 0])
  await periodOver(session)
  expect(await books()).toEqual([167, 0, 30, 0])
  await makePayment(db, session, { amount: 3n })
  await settle(session)
  expect(await books()).toEqual([167, 3, 30, 0])
})

test("when its time is over it is the business's, once; what a fork brings back is not held again", async () => {
  const session = await overpaid()
  await creditHeld(db)
  expect(await books()).toEqual([100, 90, 0, 0])
  await periodOver(session)
  expect([await books(), (await view(session)).held]).toEqual([[190, 0, 0, 0], undefined])
  const jobs = await db.query<{ reason: string }>(
    "select payload->>'reason' as reason from outbox where payload->>'sessionId' = $1",
    [session.id],
  )
  expect(jobs.filter(({ reason }) => reason === 'excess')).toHaveLength(1)
  await takeAway(db, session.second)
  await settle(session)
  expect(await books()).toEqual([120, 0, 0, 0])
  await confirm(db, session.second)
  await settle(session)
  expect(await books()).toEqual([190, 0, 0, 0])
})

test('more that comes is held for the whole period again', async () => {
  const session = await overpaid()
  await db.query("update pos_sessions set held_until = now() + interval '1 hour' where id = $1", [session.id])
  await makePayment(db, session, { amount: 5n })
  await settle(session)
  const { held } = await view(session)
  expect([held?.amount, Date.parse(held?.until ?? '') > Date.now() + 29 * 86_400_000]).toEqual([
    '0.000095',
    true,
  ])
})

test('a fork that takes the money takes the excess with it', async () => {
  const session = await overpaid()
  await takeAway(db, session.second)
  await settle(session)
  expect([await books(), (await view(session)).held?.amount]).toEqual([[100, 20, 0, 0], '0.00002'])
})
