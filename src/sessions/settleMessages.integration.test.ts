import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { TestDatabase } from '../../test/support/database.ts'
import { provers } from '../../test/support/intentKeys.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { confirm, makePayment, makeSession } from '../../test/support/madeSessions.ts'
import { notedStatements } from '../../test/support/notedStatements.ts'
import { chains, createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { settling } from '../../test/support/settling.ts'
import { urlAs } from '../../test/support/template.ts'
import { writesOf } from '../../test/support/writes.ts'
import { createDestination } from '../destinations/createDestination.ts'
import { readOutflows } from '../outflows/outflow.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { settleSession } from './settleSession.ts'

let database: TestDatabase
/** By the rights of a worker, with one connection. */
let worker: Db

beforeAll(async () => {
  database = await createSessionDatabase()
  worker = openDb(urlAs('worker', database.url), 1)
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
    await db.query(
      "insert into autopayout_settings (business_id, chain, token, enabled, destination_id) values ($1, 'ethereum', 'USDC', true, $2)",
      [businessId, id],
    )
  }
  const first = await makeSession(db, businessId, 100n)
  await makePayment(db, first, { amount: 100n })
  await settle(first.id)
  return businessId
}

const settle = (sessionId: string) =>
  settleSession({ ...settling, db: worker, chains }, { sessionId, outboxId: '0' })

async function settled(sessionId: string): Promise<{ messages: number; events: string[] }> {
  let events: string[] = []
  const messages = await writesOf(async () => {
    events = (await settle(sessionId)).map(({ type }) => type)
  })
  return { messages, events }
}

// Statements that are issued one by one are a message each: the time of a round trip, and of a turn of both
// processes.

test('a payment that is detected, and then confirmed, without a payout', async () => {
  const session = await makeSession(database.db, await open(false), 100n)
  const payment = await makePayment(database.db, session, { amount: 100n, status: 'seen' })
  expect(await settled(session.id)).toEqual({
    messages: 2,
    events: ['transaction.detected', 'session.detected'],
  })
  await confirm(database.db, payment)
  expect(await settled(session.id)).toEqual({
    messages: 3,
    events: ['transaction.confirmed', 'session.paid'],
  })
  // Once more, with nothing to do.
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
  expect(await settled(session.id)).toEqual({
    messages: 4,
    events: ['transaction.confirmed', 'session.paid'],
  })
  expect(await readOutflows(database.db, 'session_id = $1', [session.id])).toHaveLength(1)
})

test('a payment whose accounts are new', async () => {
  const businessId = newId()
  await insertBusiness(database.db, businessId)
  const session = await makeSession(database.db, businessId, 100n)
  await makePayment(database.db, session, { amount: 100n })
  expect((await settled(session.id)).messages).toBe(4)
})

test('two payments that make a session paid together', async () => {
  const session = await makeSession(database.db, await open(false), 100n)
  for (const amount of [30n, 30n]) await makePayment(database.db, session, { amount })
  await settle(session.id)
  await makePayment(database.db, session, { amount: 40n })
  // What was posted for each of the first two is read, in one message more.
  expect(await settled(session.id)).toMatchObject({
    messages: 4,
    events: expect.arrayContaining(['session.paid']),
  })
})

/** Settles it, and returns the texts of all statements in their order. */
async function statementsOf(sessionId: string): Promise<string[]> {
  const { texts, noting } = notedStatements(worker)
  await settleSession({ ...settling, db: { ...worker, ...noting }, chains }, { sessionId, outboxId: '0' })
  return [...texts]
}

test('statements keep their order: session, clock, payments; outflows before balances; events last', async () => {
  const session = await makeSession(database.db, await open(true), 100n)
  await makePayment(database.db, session, { amount: 100n })
  const texts = await statementsOf(session.id)
  const order = [
    /from pos_sessions where id = .* for update/,
    /confirmed_time/,
    /from detections d join transfers/,
    /from outflows where .* for update/,
    /height from chain_cursors/,
    /lock_ledger_balances/,
    /insert into outflows/,
    /insert into ledger_entries/,
    /update pos_sessions/,
    /insert into session_payments/,
    /insert into event_sequences/,
    /insert into events/,
    /delete from outbox/,
  ]
  for (const of of order) expect(texts.filter((text) => of.test(text))).toHaveLength(1)
  const places = order.map((of) => texts.findIndex((text) => of.test(text)))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('every statement is prepared: planning the payments of a session takes longer than reading them', async () => {
  const session = await makeSession(database.db, await open(true), 100n)
  const payment = await makePayment(database.db, session, { amount: 100n, status: 'seen' })
  const texts = await statementsOf(session.id)
  await confirm(database.db, payment)
  texts.push(...(await statementsOf(session.id)))
  const prepared = await worker.query<{ statement: string }>('select statement from pg_prepared_statements')
  expect(texts.filter((text) => !prepared.some(({ statement }) => statement === text))).toEqual([])
})
