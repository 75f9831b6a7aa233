import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import type { Account } from './account.ts'
import { type Entry, type Posting, tokenAsset } from './entry.ts'
import { post } from './post.ts'

let database: TestDatabase
let db: Db
/** Of the accounts, in the order in which they were opened. */
let ids: string[]

const asset = tokenAsset('ethereum', 'USDC')
const businesses = Array.from({ length: 12 }, newId)
const accounts = businesses.map((businessId): Account => ({ name: 'pending', businessId, asset }))

const entry = (...postings: Posting[]): Entry => ({
  kind: 'test',
  businessId: null,
  cause: { kind: 'adjustment', id: newId() },
  step: 1,
  postings,
})

beforeAll(async () => {
  database = await createTestDatabase(6)
  db = database.db
  for (const account of accounts) {
    await db.query("insert into businesses (id, name) values ($1, 'A shop')", [account.businessId])
    await db.tx((tx) =>
      post(tx, [
        entry(
          { account: { name: 'deposits:ethereum', businessId: null, asset }, amount: 9n },
          { account, amount: -9n },
        ),
      ]),
    )
  }
  ids = (
    await db.query<{ id: string }>("select id from ledger_accounts where name = 'pending' order by id")
  ).map(({ id }) => id)
})
afterAll(() => database?.drop())

/** Half of them give to the other half, the last account first. */
const postings = accounts.map((account, at) => ({ account, amount: at % 2 === 0 ? 1n : -1n })).reverse()

async function byHand(tx: Tx, lines: readonly Posting[] = postings): Promise<void> {
  const id = newId()
  await tx.query(
    "insert into ledger_entries (id, kind, business_id, cause_kind, reference, step) values ($1::uuid, 'raw', null, 'raw', $1::text, 1)",
    [id],
  )
  await tx.query(
    'insert into ledger_postings (entry_id, account_id, asset, amount) select $1, account, $2, amount from unnest($3::bigint[], $4::numeric[]) as p(account, amount)',
    [
      id,
      asset,
      await Promise.all(lines.map(({ account }) => idOf(account))),
      lines.map(({ amount }) => amount.toString()),
    ],
  )
}

async function idOf({ name, businessId }: Account): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    'select id from ledger_accounts where name = $1 and asset = $2 and business_id is not distinct from $3',
    [name, asset, businessId],
  )
  return row?.id ?? ''
}

const writers: Record<string, (tx: Tx, lines?: readonly Posting[]) => Promise<unknown>> = {
  post: (tx, lines = postings) => post(tx, [entry(...lines)]),
  'a writer without it': byHand,
}

const someoneWaits = async () =>
  (
    await db.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).length > 0

const freeBalances = async () =>
  (
    await db.query<{ id: string }>(
      'select account_id as id from ledger_balances where account_id = any($1::bigint[]) order by account_id for update skip locked',
      [ids],
    )
  ).map(({ id }) => id)

test.each(Object.keys(writers))(
  '%s locks balances in the order of accounts, not in that of its postings',
  async (name) => {
    /** Balances that are free while the writer waits for this one. */
    const freeWhile = async (held: string | undefined) => {
      let writing: Promise<unknown> | undefined
      const free = await db.tx(async (tx) => {
        await tx.query('select 1 from ledger_balances where account_id = $1 for update', [held])
        writing = db.tx((other) => writers[name]?.(other) as Promise<unknown>)
        await waitFor('the writer to wait', someoneWaits)
        return freeBalances()
      })
      await writing
      return free
    }
    expect(await freeWhile(ids[0])).toEqual(ids.slice(1))
    expect(await freeWhile(ids[5])).toEqual(ids.slice(6))
    expect(await freeWhile(ids.at(-1))).toEqual([])
  },
)

test.each(Object.keys(writers))(
  '%s waits for a business without holding the account that every payment touches',
  async (name) => {
    const [account] = accounts as [Account]
    const deposits: Account = { name: 'deposits:ethereum', businessId: null, asset }
    // Its id is lower than that of the business's account.
    const id = await idOf(deposits)
    expect(Number(id)).toBeLessThan(Number(ids[0]))
    let writing: Promise<unknown> | undefined
    const free = await db.tx(async (tx) => {
      await tx.query('select 1 from ledger_balances where account_id = $1 for update', [ids[0]])
      const lines = [
        { account: deposits, amount: 1n },
        { account, amount: -1n },
      ]
      writing = db.tx((other) => writers[name]?.(other, lines) as Promise<unknown>)
      await waitFor('the writer to wait', someoneWaits)
      return db.query('select slot from ledger_balances where account_id = $1 for update skip locked', [id])
    })
    await writing
    expect(free).toHaveLength(16)
  },
)

test('an account is opened before any balance is locked: while another transaction opens it, the writer holds no lock', async () => {
  const [businessId] = businesses as [string]
  const opened: Account = { name: 'stakes', businessId, asset }
  let writing: Promise<unknown> | undefined
  const free = await db.tx(async (tx) => {
    await tx.query(
      "insert into ledger_accounts (name, business_id, asset, normal_side) values ('stakes', $1, $2, 'credit')",
      [businessId, asset],
    )
    writing = db.tx((other) =>
      post(other, [
        entry(
          { account: { name: 'pending', businessId, asset }, amount: 1n },
          { account: opened, amount: -1n },
        ),
      ]),
    )
    await waitFor('the writer to wait', someoneWaits)
    return freeBalances()
  })
  await writing
  expect(free).toEqual(ids)
})
