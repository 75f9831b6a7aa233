import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { confirm, makePayment, makeSession } from '../../test/support/madeSessions.ts'
import { settling } from '../../test/support/settling.ts'
import { urlAs } from '../../test/support/template.ts'
import { writesOf } from '../../test/support/writesOf.ts'
import { configuredChains } from '../chains/configuration.ts'
import { createDestination } from '../payouts/createDestination.ts'
import { readOutflows } from '../payouts/outflow.ts'
import { type Db, openDb } from '../platform/db.ts'
import { newId } from '../platform/ids.ts'
import { settleSession } from './settleSession.ts'

const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })
let database: TestDatabase
/** By the rights of a worker, with one connection. */
let worker: Db

beforeAll(async () => {
  database = await createTestDatabase()
  worker = openDb(urlAs('worker', database.url), 1)
  await database.db.query("insert into chain_cursors (chain, epoch) values ('ethereum', 1) on conflict do nothing")
})
afterAll(async () => {
  await worker?.close()
  await database?.drop()
})

/** A business whose ledger accounts are open; `pays`: to a wallet, by itself. */
async function open(pays: boolean): Promise<string> {
  const { db } = database
  const businessId = newId()
  await db.query("insert into businesses (id, name, fee_percent) values ($1, 'A shop', 1)", [businessId])
  if (pays) {
    const ctx = {
      db,
      appKey: settling.appKey,
      chains,
      banks: async () => ({ banks: [], asOf: new Date() }),
      prover: provers.api,
      requestKey: async () => settling.appKey,
    }
    const { id } = await createDestination(
      ctx,
      businessId,
      { chain: 'ethereum', address: `0x${newId().replaceAll('-', '').padEnd(40, '0')}` },
      async () => {},
    )
    await db.query("insert into autopayout_settings (business_id, chain, token, enabled, destination_id) values ($1, 'ethereum', 'USDC', true, $2)", [
      businessId,
      id,
    ])
  }
  const first = await makeSession(db, businessId, 100n)
  await makePayment(db, first, { amount: 100n })
  await settle(first.id)
  return businessId
}

const settle = (sessionId: string) => settleSession({ ...settling, db: worker, chains }, { sessionId, outboxId: '0' })

async function settled(sessionId: string): Promise<{ messages: number; events: string[] }> {
  let events: string[] = []
  const messages = await writesOf(async () => {
    events = (await settle(sessionId)).map(({ type }) => type)
  })
  return { messages, events }
}

test('a payment that is detected, and then confirmed, without a payout', async () => {
  const session = await makeSession(database.db, await open(false), 100n)
  const payment = await makePayment(database.db, session, { amount: 100n, status: 'seen' })
  expect(await settled(session.id)).toEqual({ messages: 2, events: ['transaction.detected', 'session.detected'] })
  await confirm(database.db, payment)
  expect(await settled(session.id)).toEqual({ messages: 3, events: ['transaction.confirmed', 'session.paid'] })
  expect(await settled(session.id)).toEqual({ messages: 2, events: [] })
})

test('a payment that is detected and confirmed at once', async () => {
  const session = await makeSession(database.db, await open(false), 100n)
  await makePayment(database.db, session, { amount: 100n })
  expect(await settled(session.id)).toEqual({
    messages: 3,
    events: ['transaction.detected', 'session.detected', 'transaction.confirmed', 'session.paid'],
  })
})

test('a payment that makes an automatic payout', async () => {
  const session = await makeSession(database.db, await open(true), 100n)
  const payment = await makePayment(database.db, session, { amount: 100n, status: 'seen' })
  expect((await settled(session.id)).messages).toBe(2)
  await confirm(database.db, payment)
  expect(await settled(session.id)).toEqual({ messages: 4, events: ['transaction.confirmed', 'session.paid'] })
  expect(await readOutflows(database.db, 'session_id = $1', [session.id])).toHaveLength(1)
})
