import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { checkoutUrl } from '../../test/support/checkoutUrl.ts'
import type { TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { makePayment, makeSession, takeAway } from '../../test/support/madeSessions.ts'
import { chains, createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { settling } from '../../test/support/settling.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { cancelSession } from './cancelSession.ts'
import { sessionTimeline } from './sessionTimeline.ts'
import { settleSession } from './settleSession.ts'

let database: TestDatabase
let db: ModelDb
let businessId: string

beforeAll(async () => {
  database = await createSessionDatabase()
  db = database.db
  businessId = await business()
})
afterAll(() => database?.drop())

async function business(): Promise<string> {
  const id = newId()
  await insertBusiness(db, id)
  return id
}

const settle = (sessionId: string) => settleSession({ ...settling, db, chains }, { sessionId, outboxId: '0' })
const timeline = (id: string, of = businessId) => sessionTimeline({ db, chains }, of, id)
const kindsOf = async (id: string) => (await timeline(id)).map(({ kind }) => kind)

/** A payout or a refund of a session, in this state. */
const outflow = (kind: string, sessionId: string, of: string, status: string) =>
  db.query(
    `insert into outflows (id, kind, business_id, session_id, status, reason, chain, token, amount, to_chain, to_token, to_address, to_amount, made_by, created_at, submitted_at, completed_at)
     values (gen_random_uuid(), $1, $2, $3, $4::text, case $4 when 'failed' then 'limit_exceeded' end, 'ethereum', 'USDC', 1500000, 'ethereum', 'USDC', '0xaa', 1500000, 'worker', now(),
       case $4 when 'completed' then now() end, case $4 when 'completed' then now() end)`,
    [kind, of, sessionId, status],
  )

test('a paid session shows its creation, its payments with their exceptions, and what left for it, in order', async () => {
  const session = await makeSession(db, businessId, 1_000_000n)
  await makePayment(db, session, { amount: 2_500_000n })
  await makePayment(db, session, { amount: 3_000_000n, token: 'USDT', status: 'seen' })
  await settle(session.id)
  await outflow('payout', session.id, businessId, 'completed')
  await outflow('refund', session.id, businessId, 'failed')
  const entries = await timeline(session.id)
  const times = entries.map(({ at }) => Date.parse(at))
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(
    entries.map(({ kind, amount, token, exception, reason }) => [kind, amount, token, exception, reason]),
  ).toEqual(
    expect.arrayContaining([
      ['created', null, null, null, null],
      ['payment_seen', '2.5', 'USDC', null, null],
      ['payment_confirmed', '2.5', 'USDC', null, null],
      ['payment_seen', '3', 'USDT', 'wrong_token', null],
      ['paid', null, null, null, null],
      ['payout_created', '1.5', 'USDC', null, null],
      ['payout_sent', '1.5', 'USDC', null, null],
      ['payout_completed', '1.5', 'USDC', null, null],
      ['refund_created', '1.5', 'USDC', null, null],
      ['refund_failed', '1.5', 'USDC', null, 'limit_exceeded'],
    ]),
  )
  expect(entries).toHaveLength(10)
  expect(entries[0]?.kind).toBe('created')
})

test('a payment that a fork took back, and a cancelled session, have their times', async () => {
  const forked = await makeSession(db, businessId, 1_000_000n)
  const payment = await makePayment(db, forked, { amount: 1_000_000n, status: 'seen' })
  await settle(forked.id)
  await takeAway(db, payment)
  await db.query('update detections set reverted_at = now() where id = $1', [payment])
  await settle(forked.id)
  expect(await kindsOf(forked.id)).toEqual(['created', 'payment_seen', 'payment_reverted'])
  const cancelled = await makeSession(db, businessId, 1_000_000n)
  await cancelSession({ db, chains, checkoutUrl }, businessId, cancelled.id, async () => {})
  expect(await kindsOf(cancelled.id)).toEqual(['created', 'cancelled'])
})

test("another business's session is not found, and its outflows are not shown", async () => {
  const session = await makeSession(db, businessId, 1_000_000n)
  const stranger = await business()
  await outflow('refund', session.id, stranger, 'completed')
  expect(await kindsOf(session.id)).toEqual(['created'])
  for (const id of [session.id, newId(), 'not-an-id'])
    await expect(timeline(id, stranger)).rejects.toMatchObject({ status: 404 })
})
