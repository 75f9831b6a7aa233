import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { confirm, makePayment, makeSession, takeAway } from '../../test/support/madeSessions.ts'
import { settling } from '../../test/support/settling.ts'
import { configuredChains } from '../chains/configuration.ts'
import type { Account } from '../ledger/account.ts'
import { balanceOf } from '../ledger/balance.ts'
import { tokenAsset } from '../ledger/entry.ts'
import { post } from '../ledger/post.ts'
import { newId } from '../platform/ids.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { settleSession } from './settleSession.ts'

const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })
let database: TestDatabase
let db: ModelDb

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  await db.query("insert into chain_cursors (chain, epoch) values ('ethereum', 1) on conflict do nothing")
})
afterAll(() => database?.drop())

const asset = tokenAsset('ethereum', 'USDC')

test('a reversal after the payout becomes a receivable and leaves the session paid out; the next payment pays it; the fork back undoes it', async () => {
  const businessId = newId()
  await db.query("insert into businesses (id, name) values ($1, 'A shop')", [businessId])
  const of = (name: 'available' | 'receivable' | 'payouts_held'): Account => ({ name, businessId, asset })
  const standing = async () => [await balanceOf(db, of('available')), await balanceOf(db, of('receivable'))]
  const settle = (sessionId: string) => settleSession({ ...settling, db, chains }, { sessionId, outboxId: '0' })
  const statusOf = async (id: string) => (await db.query('select status from pos_sessions where id = $1', [id]))[0]?.status

  const first = await makeSession(db, businessId, 100n)
  const payment = await makePayment(db, first, { amount: 100n })
  await settle(first.id)
  expect(await statusOf(first.id)).toBe('paid')
  await db.tx(async (tx) => {
    const postings = [
      { account: of('available'), amount: 100n },
      { account: of('payouts_held'), amount: -100n },
    ]
    await post(tx, [{ kind: 'test', businessId, cause: { kind: 'payout', id: newId() }, step: 1, postings }])
    await tx.query("update pos_sessions set status = 'paid_out' where id = $1", [first.id])
  })

  await takeAway(db, payment)
  await settle(first.id)
  expect(await statusOf(first.id)).toBe('paid_out')
  expect(await standing()).toEqual([0n, 100n])

  const second = await makeSession(db, businessId, 130n)
  await makePayment(db, second, { amount: 130n })
  await settle(second.id)
  expect(await standing()).toEqual([30n, 0n])

  await confirm(db, payment)
  await settle(first.id)
  await settle(first.id)
  expect(await statusOf(first.id)).toBe('paid_out')
  expect(await standing()).toEqual([130n, 0n])
})
