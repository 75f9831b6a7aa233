import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { chains, createSessionDatabase } from '../../test/support/sessionDatabase.ts'
import { settling } from '../../test/support/settling.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { balanceOf } from '../ledger/balance.ts'
import { tokenAsset } from '../ledger/entry.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { addWatch } from '../watches/addWatch.ts'
import { sessionModel } from './model.ts'
import { settleSession } from './settleSession.ts'

/** Many settlements at once, of sessions whose payments the indexer has confirmed. */

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createSessionDatabase(12)
  db = database.db
})
afterAll(() => database?.drop())

async function business(): Promise<string> {
  const id = newId()
  await insertBusiness(db, id)
  return id
}

let addresses = 0
/** A session of 100 units of USDC, with these payments, confirmed in this order. */
async function sessionWith(
  businessId: string,
  payments: readonly { token: string; amount: bigint }[],
): Promise<string> {
  const address = `0x${(++addresses).toString(16).padStart(40, '0')}`
  const session = await sessionModel(database.db.sequelize).create({
    id: newId(),
    businessId,
    chain: 'ethereum',
    token: 'USDC',
    family: 'evm',
    address,
    amountExpected: '100',
    localAmount: null,
    localCurrency: null,
    rate: null,
    fxMarginPercent: '0',
    fee: '0',
    feeCurrency: 'USDC',
    requiredConfirmations: 1,
    label: null,
    reference: null,
    metadata: null,
    expiresAt: new Date(Date.now() + 600_000),
  })
  const subjectId = session.id
  await database.db.tx(async (tx) =>
    addWatch(tx, {
      family: 'evm',
      address,
      businessId,
      purpose: 'session',
      subjectId,
      finality: { policyId: null, amount: null },
    }),
  )
  for (const [index, payment] of payments.entries()) await pay(subjectId, address, index, payment)
  return subjectId
}

async function pay(
  sessionId: string,
  address: string,
  height: number,
  { token, amount }: { token: string; amount: bigint },
): Promise<void> {
  const transfer = newId()
  await db.query(
    `insert into transfers (id, chain, block_height, block_id, block_time, tx_id, movement_key, token, from_address, to_address, amount)
     values ($1::uuid, 'ethereum', $2, $1::uuid::text, now(), $1::uuid::text, 'log:0', $3, '0x00000000000000000000000000000000000000aa', $4, $5)`,
    [transfer, height, token, address, amount.toString()],
  )
  await db.query(
    `insert into detections (id, transfer_id, watch_id, business_id, subject_id, chain, block_height, depth, status, confirmed_at, needs_agreement, direction)
     select $1, $2, id, business_id, subject_id, 'ethereum', $3, 1, 'confirmed', now(), false, 'in' from watches where subject_id = $4`,
    [newId(), transfer, height, sessionId],
  )
}

const settle = (sessionId: string, by: Db = db) =>
  settleSession({ ...settling, db: by, chains }, { sessionId, outboxId: '0' })
const available = (businessId: string, token: string) =>
  balanceOf(db, { name: 'available', businessId, asset: tokenAsset('ethereum', token) })

/** With what is held of overpaid sessions. */
const credited = async (businessId: string, token: string) =>
  (await available(businessId, token)) +
  (await balanceOf(db, { name: 'pending', businessId, asset: tokenAsset('ethereum', token) }))

/** The database with another `query` in its transactions. */
const through = (query: (tx: Tx, text: string, values?: unknown[]) => Promise<object[]>): Db => ({
  ...db,
  tx: (work) => db.tx((tx) => work({ ...tx, query: (text, values) => query(tx, text, values) as never })),
})

/** Connections that wait for another. */
const waiting = async () =>
  (
    await db.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).length

/** Resolves for `count` callers together, or once one of them waits in the database for another. */
function meeting(count: number): () => Promise<unknown> {
  const { promise: all, resolve } = Promise.withResolvers<void>()
  let arrived = 0
  return async () => {
    if (++arrived === count) resolve()
    await Promise.race([all, waitFor('the others', async () => arrived >= count || (await waiting()) > 0)])
  }
}

describe('two workers that settle a session at once', () => {
  test('post one entry even if no row is locked: the database refuses the second', async () => {
    const businessId = await business()
    const session = await sessionWith(businessId, [{ token: 'USDC', amount: 100n }])
    const bothHaveRead = meeting(2)
    const unlocked = through(async (tx, text, values) => {
      const rows = await tx.query(text.replace(' for update', ''), values)
      if (text.includes('left join session_payments')) await bothHaveRead()
      return rows
    })
    const settled = await Promise.allSettled([settle(session, unlocked), settle(session, unlocked)])
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: '23505', constraint: 'ledger_entries_cause' },
    })
    expect(await available(businessId, 'USDC')).toBe(100n)
  })

  test('post one entry with the lock, without a refusal', async () => {
    const businessId = await business()
    const session = await sessionWith(businessId, [{ token: 'USDC', amount: 100n }])
    await Promise.all(Array.from({ length: 5 }, () => settle(session)))
    expect(await available(businessId, 'USDC')).toBe(100n)
  })
})

describe('settlements on the same accounts at once', () => {
  test('open new accounts in one order: two that need the same new ones in opposite order do not deadlock', async () => {
    const businessId = await business()
    const tokens = ['USDC', 'ETH', 'USDT']
    const one = await sessionWith(
      businessId,
      tokens.map((token) => ({ token, amount: 100n })),
    )
    const other = await sessionWith(
      businessId,
      tokens.toReversed().map((token) => ({ token, amount: 200n })),
    )
    // A third transaction opens the account in the middle, so that each has opened its first one and waits.
    let both: Promise<unknown> | undefined
    const rollback = new Error('rollback')
    const held = db.tx(async (tx) => {
      await tx.query(
        "insert into ledger_accounts (name, business_id, asset, normal_side) values ('available', $1, 'ethereum:ETH', 'credit')",
        [businessId],
      )
      both = Promise.all([settle(one), settle(other)])
      await waitFor('both to wait', async () => (await waiting()) === 2)
      throw rollback
    })
    await expect(held).rejects.toBe(rollback)
    await both
    for (const token of tokens) expect([token, await credited(businessId, token)]).toEqual([token, 300n])
  })

  test('of sixty sessions of one business, each settled three times, fail never and add up', async () => {
    const businessId = await business()
    const tokens = ['USDC', 'USDT', 'ETH'] as const
    const sessions = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        sessionWith(
          businessId,
          [0, 1, 2].map((step) => ({
            token: tokens[(i + step * (1 + (i % 2))) % 3] as string,
            amount: 100n + BigInt(i),
          })),
        ),
      ),
    )
    await Promise.all([...sessions, ...sessions.toReversed(), ...sessions].map((session) => settle(session)))
    const sum = sessions.reduce((total, _, i) => total + 100n + BigInt(i), 0n)
    for (const token of tokens) expect([token, await credited(businessId, token)]).toEqual([token, sum])
    const [{ entries } = { entries: 0 }] = await db.query<{ entries: number }>(
      'select count(*)::int as entries from ledger_entries where business_id = $1',
      [businessId],
    )
    expect(entries).toBe(180)
  })
})
