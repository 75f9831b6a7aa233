import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { type Account, businessAccountNames, normalSide } from './account.ts'
import { balanceOf } from './balance.ts'
import { type Entry, type Posting, tokenAsset } from './entry.ts'
import { post } from './post.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase(8)
  db = database.db
})
afterAll(() => database?.drop())

const asset = tokenAsset('ethereum', 'USDC')
const platform = (
  name: 'deposits:ethereum' | 'fees' | 'rewards' | 'treasury:ethereum' | 'capital',
): Account => ({ name, businessId: null, asset })
const deposits = platform('deposits:ethereum')
const available = (businessId: string): Account => ({ name: 'available', businessId, asset })

async function business(): Promise<string> {
  const id = newId()
  await insertBusiness(db, id)
  return id
}

const entry = (businessId: string | null, ...postings: Posting[]): Entry => ({
  kind: 'test',
  businessId,
  cause: { kind: 'adjustment', id: newId() },
  step: 1,
  postings,
})
const credit = (businessId: string, amount: bigint) =>
  entry(businessId, { account: deposits, amount }, { account: available(businessId), amount: -amount })

/** Connections that wait for another. */
const waiting = async () =>
  (
    await db.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).length

describe('names and sides', () => {
  const insert = 'insert into ledger_accounts (name, business_id, asset, normal_side) values ($1, $2, $3, $4)'
  const refused = { code: '23514', constraint: 'ledger_accounts_known' }
  const other = { debit: 'credit', credit: 'debit' } as const

  test('are those of the code: the database takes each account with its side, and refuses the other side', async () => {
    const businessId = await business()
    const names = [
      'deposits:bsc',
      'treasury:bsc',
      'partner:yellowcard',
      'network_costs',
      'fees',
      'fx_margin',
      'rewards',
      'penalties',
    ] as const
    const more = ['rounding', 'suspense', 'exchange', 'capital'] as const
    const accounts: Account[] = [
      ...businessAccountNames.map((name): Account => ({ name, businessId, asset: 'bsc:USDC' })),
      ...[...names, ...more].map((name): Account => ({ name, businessId: null, asset: 'bsc:USDC' })),
    ]
    for (const account of accounts) {
      const side = normalSide(account)
      await expect(
        db.query(insert, [account.name, account.businessId, account.asset, other[side]]),
      ).rejects.toMatchObject(refused)
      await db.query(insert, [account.name, account.businessId, account.asset, side])
    }
  })

  test.each([
    ['an unknown name', 'savings', true],
    ['an account of the platform for a business', 'fees', true],
    ['an account of a business for the platform', 'available', false],
    ['a place without a name', 'deposits:', false],
    ['a name that only starts like a place', 'depositsX', false],
  ])('%s is refused on either side', async (_what, name, hasBusiness) => {
    const businessId = hasBusiness ? await business() : null
    for (const side of ['debit', 'credit'])
      await expect(db.query(insert, [name, businessId, asset, side])).rejects.toMatchObject(refused)
  })
})

describe('a running balance', () => {
  const rows = (account: Account) =>
    db.query<{ slot: number; balance: string }>(
      `select b.slot, b.balance from ledger_balances b join ledger_accounts a on a.id = b.account_id
       where a.name = $1 and a.business_id is not distinct from $2 and a.asset = $3 order by b.slot`,
      [account.name, account.businessId, account.asset],
    )

  test('follows every writer, several postings at a time, on the normal side', async () => {
    const businessId = await business()
    await db.tx((tx) => post(tx, [credit(businessId, 70n)]))
    const [before, fees] = [await balanceOf(db, deposits), await balanceOf(db, platform('fees'))]
    // By hand, without our code.
    const id = newId()
    await db.tx(async (tx) => {
      await tx.query(
        "insert into ledger_accounts (name, business_id, asset, normal_side) values ('fees', null, $1, 'credit') on conflict do nothing",
        [asset],
      )
      await tx.query(
        "insert into ledger_entries (id, kind, business_id, cause_kind, reference, step) values ($1, 'raw', $2, 'raw', 'raw', 1)",
        [id, businessId],
      )
      await tx.query(
        `insert into ledger_postings (entry_id, account_id, asset, amount)
         select $1, id, asset, lines.amount
         from (values ('available', 50), ('available', -20), ('fees', -23), ('deposits:ethereum', -7)) as lines(name, amount)
         join ledger_accounts a on a.name = lines.name and a.asset = $2 and (a.business_id = $3 or a.business_id is null)`,
        [id, asset, businessId],
      )
    })
    expect(await balanceOf(db, available(businessId))).toBe(40n)
    expect(await balanceOf(db, platform('fees'))).toBe(fees + 23n)
    expect(await balanceOf(db, deposits)).toBe(before - 7n)
  })

  test('of a business has one row; of the platform sixteen, but of the funded account one', async () => {
    const businessId = await business()
    await db.tx((tx) =>
      post(tx, [
        credit(businessId, 5n),
        entry(
          null,
          { account: platform('capital'), amount: 1n },
          { account: platform('rewards'), amount: -1n },
        ),
      ]),
    )
    expect(await rows(available(businessId))).toEqual([{ slot: 0, balance: '5' }])
    expect(await rows(deposits)).toHaveLength(16)
    expect(await rows(platform('rewards'))).toHaveLength(1)
  })

  test('of a business is never negative, nor is that of the funded account; others of the platform may be', async () => {
    const businessId = await business()
    const refused = { code: '23514', constraint: 'ledger_balances_not_negative' }
    const treasury = platform('treasury:ethereum')
    await db.tx((tx) =>
      post(tx, [entry(null, { account: treasury, amount: -4n }, { account: deposits, amount: 4n })]),
    )
    expect(await balanceOf(db, treasury)).toBe(-4n)
    for (const name of ['pending', 'payouts_held', 'stakes', 'credit', 'credit_held'] as const) {
      const taken = entry(
        businessId,
        { account: { name, businessId, asset }, amount: 1n },
        { account: deposits, amount: -1n },
      )
      await expect(db.tx((tx) => post(tx, [taken]))).rejects.toMatchObject(refused)
    }
    const owedBack = entry(
      businessId,
      { account: { name: 'receivable', businessId, asset }, amount: -1n },
      { account: deposits, amount: 1n },
    )
    await expect(db.tx((tx) => post(tx, [owedBack]))).rejects.toMatchObject(refused)
    const rewards = await balanceOf(db, platform('rewards'))
    const tooMuch = entry(
      null,
      { account: platform('rewards'), amount: rewards + 1n },
      { account: deposits, amount: -rewards - 1n },
    )
    await expect(db.tx((tx) => post(tx, [tooMuch]))).rejects.toMatchObject(refused)
  })

  test('is changed by postings alone, even for the owner of the table', async () => {
    await db.tx(async (tx) => post(tx, [credit(await business(), 1n)]))
    const all = () => db.query('select * from ledger_balances order by account_id, slot')
    const before = await all()
    for (const statement of [
      'update ledger_balances set balance = balance + 1 where slot = 0',
      'delete from ledger_balances',
      'truncate ledger_balances',
      'insert into ledger_balances (account_id, slot, can_be_negative) select account_id, 15, true from ledger_balances limit 1',
    ])
      await expect(db.query(statement)).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('by postings alone'),
      })
    expect(await all()).toEqual(before)
  })
})

describe('two open transactions', () => {
  /** Runs `work` in transactions on connections whose slots differ; they end when `until` resolves. */
  async function connections(): Promise<[pg.Client, pg.Client]> {
    const [first, ...others] = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = new pg.Client({ connectionString: database.url })
        await client.connect()
        const [row] = (await client.query('select pg_backend_pid() % 16 as slot')).rows
        return { client, slot: row.slot as number }
      }),
    )
    const second = others.find(({ slot }) => slot !== first?.slot)
    await Promise.all(others.filter((other) => other !== second).map(({ client }) => client.end()))
    if (!first || !second) throw new Error('all connections have the same slot')
    return [first.client, second.client]
  }
  const txOf = (client: pg.Client): Tx => ({
    isTransaction: true,
    query: async (text, values = []) => (await client.query(text, values)).rows,
    send: (text, values) => void client.query(text, values),
  })

  test('post to the same account of the platform, and neither waits', async () => {
    const [one, other] = [await business(), await business()]
    for (const id of [one, other]) await db.tx((tx) => post(tx, [credit(id, 1n)]))
    const before = await balanceOf(db, deposits)
    const clients = await connections()
    try {
      await Promise.all(clients.map((client) => client.query("begin; set local lock_timeout = '2s'")))
      // The second finishes all its statements while the first is still open.
      await post(txOf(clients[0]), [credit(one, 10n)])
      await post(txOf(clients[1]), [credit(other, 20n)])
      expect(await waiting()).toBe(0)
      await Promise.all(clients.map((client) => client.query('commit')))
    } finally {
      await Promise.all(clients.map((client) => client.end()))
    }
    expect(await balanceOf(db, deposits)).toBe(before + 30n)
  })

  test('take from the same business one after the other: the second sees what the first left', async () => {
    const id = await business()
    await db.tx((tx) => post(tx, [credit(id, 100n)]))
    const taken = (amount: bigint) =>
      entry(
        id,
        { account: available(id), amount },
        { account: { name: 'payouts_held', businessId: id, asset }, amount: -amount },
      )
    let second: Promise<unknown> | undefined
    await db.tx(async (tx) => {
      await post(tx, [taken(70n)])
      second = db
        .tx((other) => post(other, [taken(70n)]))
        .then(
          () => 'posted',
          (error) => error,
        )
      await waitFor('the second to wait', async () => (await waiting()) > 0)
    })
    expect(await second).toMatchObject({ code: 'insufficient_funds', businessId: id, asset, missing: 40n })
    expect(await balanceOf(db, available(id))).toBe(30n)
  })

  test('that need the same accounts in opposite order do not deadlock', async () => {
    const [one, other] = [await business(), await business()]
    const both = (first: string, then: string) => [credit(first, 3n), credit(then, 4n)]
    await db.tx((tx) => post(tx, both(one, other)))
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        db.tx((tx) => post(tx, i % 2 === 0 ? both(one, other) : both(other, one))),
      ),
    )
    expect((await balanceOf(db, available(one))) + (await balanceOf(db, available(other)))).toBe(61n * 7n)
  })
})
