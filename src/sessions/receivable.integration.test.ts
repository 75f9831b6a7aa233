import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { TestDatabase } from '../../test/support/database.ts'
import { makeAutopayout } from '../../test/support/madeAutopayout.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { confirm, makePayment, makeSession, takeAway } from '../../test/support/madeSessions.ts'
import { chains, createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { settling } from '../../test/support/settling.ts'
import type { Account } from '../ledger/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { moveOutflow } from '../outflows/moveOutflow.ts'
import { readOutflows } from '../outflows/outflow.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { settleSession } from './settleSession.ts'

let database: TestDatabase
let db: ModelDb

beforeAll(async () => {
  database = await createSessionDatabase()
  db = database.db
})
afterAll(() => database?.drop())

const asset = tokenAsset('ethereum', 'USDC')

test('a reversal after the payout becomes a receivable and leaves the session paid out; the next payment pays it; the fork back undoes it', async () => {
  const businessId = newId()
  await insertBusiness(db, businessId)
  await makeAutopayout(db, businessId, { chain: 'ethereum', address: '0xaa' })
  const of = (name: 'available' | 'receivable'): Account => ({ name, businessId, asset })
  const standing = async () => [await balanceOf(db, of('available')), await balanceOf(db, of('receivable'))]
  const settle = (sessionId: string) =>
    settleSession({ ...settling, db, chains }, { sessionId, outboxId: '0' })
  /** The automatic payout of a session is sent, and final. */
  const leave = (sessionId: string) =>
    db.tx(async (tx) => {
      const [payout] = await readOutflows(tx, 'session_id = $1 for update', [sessionId])
      if (!payout) throw new Error('no payout')
      const sent = await moveOutflow(settling, tx, payout, { status: 'processing', nextInMs: 0 })
      await moveOutflow(settling, tx, sent, { status: 'completed', nextInMs: null })
      return payout.amount
    })
  const statusOf = async (id: string) =>
    (await db.query('select status from pos_sessions where id = $1', [id]))[0]?.status

  const first = await makeSession(db, businessId, 100n)
  const payment = await makePayment(db, first, { amount: 100n })
  await settle(first.id)
  expect(await statusOf(first.id)).toBe('paid')
  expect(await standing()).toEqual([0n, 0n])
  await leave(first.id)
  await settle(first.id)
  expect(await statusOf(first.id)).toBe('paid_out')

  await takeAway(db, payment)
  await settle(first.id)
  expect(await statusOf(first.id)).toBe('paid_out')
  expect(await standing()).toEqual([0n, 100n])

  const second = await makeSession(db, businessId, 130n)
  await makePayment(db, second, { amount: 130n })
  await settle(second.id)
  // The debt is paid first; the payout takes what is left.
  expect(await standing()).toEqual([0n, 0n])
  expect(await leave(second.id)).toBe(30n)
  await settle(second.id)
  expect(await statusOf(second.id)).toBe('paid_out')

  await confirm(db, payment)
  await settle(first.id)
  await settle(first.id)
  expect(await statusOf(first.id)).toBe('paid_out')
  expect(await standing()).toEqual([100n, 0n])
})
