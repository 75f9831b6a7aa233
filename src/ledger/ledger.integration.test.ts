import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { howMany } from '../../test/support/full.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import type { Account } from './account.ts'
import { balanceOf } from './balance.ts'
import { type Entry, type Posting, tokenAsset } from './entry.ts'
import { post } from './post.ts'

let database: TestDatabase
let db: Db
const businesses = [newId(), newId()] as const
const [businessId] = businesses

beforeAll(async () => {
  // Sequelize logs every failed commit to the console; here they are meant to fail.
  jest.spyOn(console, 'warn').mockImplementation(() => {})
  database = await createTestDatabase()
  db = database.db
  for (const id of businesses) await insertBusiness(db, id, 'test')
})
afterAll(() => database?.drop())

const usdc = tokenAsset('ethereum', 'USDC')
const usdt = tokenAsset('ethereum', 'USDT')
const deposits = (asset: string): Account => ({ name: 'deposits:ethereum', businessId: null, asset })
const available = (asset: string, business: string = businessId): Account => ({
  name: 'available',
  businessId: business,
  asset,
})
const pending = (asset: string, business: string = businessId): Account => ({
  name: 'pending',
  businessId: business,
  asset,
})

/** The first entry of a new cause. */
const entryWith = (...postings: Posting[]): Entry => ({
  kind: 'test',
  businessId,
  cause: { kind: 'session_payment', id: newId() },
  step: 1,
  postings,
})
const write = (...postings: Posting[]) => db.tx((tx) => post(tx, [entryWith(...postings)]))
const counts = async () =>
  (
    await db.query(
      'select (select count(*) from ledger_entries)::int as entries, (select count(*) from ledger_postings)::int as postings',
    )
  )[0]

/** A separate connection, to see which statement the database refuses. */
const connections: pg.Client[] = []
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  connections.push(client)
  return client
}
afterEach(async () => {
  await Promise.all(connections.splice(0).map((client) => client.end()))
})

async function accountIds(): Promise<Record<string, string>> {
  await write({ account: deposits(usdc), amount: 1n }, { account: available(usdc), amount: -1n })
  await write({ account: deposits(usdt), amount: 1n }, { account: available(usdt), amount: -1n })
  const rows = await db.query<{ id: string; name: string; asset: string }>(
    'select id, name, asset from ledger_accounts where business_id is null or business_id = $1',
    [businessId],
  )
  return Object.fromEntries(rows.map((row) => [`${row.name} ${row.asset}`, row.id]))
}

describe('an entry', () => {
  test('of received money is held by the platform and owed to the business', async () => {
    const before = await balanceOf(db, available(usdc))
    const held = await balanceOf(db, deposits(usdc))
    await write({ account: deposits(usdc), amount: 250n }, { account: available(usdc), amount: -250n })
    expect(await balanceOf(db, available(usdc))).toBe(before + 250n)
    expect(await balanceOf(db, deposits(usdc))).toBe(held + 250n)
  })

  test('that does not balance is refused at commit, and writes nothing', async () => {
    const before = await counts()
    await expect(
      write({ account: deposits(usdc), amount: 250n }, { account: available(usdc), amount: -249n }),
    ).rejects.toThrow(`does not balance: ${usdc} is off by 1`)
    await expect(write({ account: deposits(usdc), amount: 250n })).rejects.toThrow('does not balance')
    expect(await counts()).toEqual(before)
  })

  test('that balances only across two assets is refused', async () => {
    const before = await counts()
    await expect(
      write({ account: deposits(usdc), amount: 100n }, { account: available(usdt), amount: -100n }),
    ).rejects.toThrow(/does not balance: .*USDC is off by 100.*USDT is off by -100/)
    expect(await counts()).toEqual(before)
  })

  test('may move two assets at once if each balances', async () => {
    await write({ account: deposits(usdt), amount: 1n }, { account: available(usdt), amount: -1n })
    await write(
      { account: deposits(usdc), amount: 100n },
      { account: available(usdc), amount: -100n },
      { account: deposits(usdt), amount: -1n },
      { account: available(usdt), amount: 1n },
    )
  })

  test('rolls back with its transaction', async () => {
    const before = await counts()
    await expect(
      db.tx(async (tx) => {
        await post(tx, [
          entryWith({ account: deposits(usdc), amount: 1n }, { account: available(usdc), amount: -1n }),
        ])
        throw new Error('an unrelated failure')
      }),
    ).rejects.toThrow('an unrelated failure')
    expect(await counts()).toEqual(before)
  })
})

describe('the database itself, for every writer', () => {
  const insertPosting =
    'insert into ledger_postings (entry_id, account_id, asset, amount) values ($1, $2, $3, $4)'
  const insertEntry =
    "insert into ledger_entries (id, kind, business_id, cause_kind, reference, step) values ($1::uuid, 'raw', null, 'raw', $1::uuid::text, 1)"

  test('accepts an entry posting by posting, and refuses it at commit if it does not balance', async () => {
    const ids = await accountIds()
    const before = await counts()
    const raw = await connect()
    const entry = newId()
    await raw.query('begin')
    await raw.query(insertEntry, [entry])
    await raw.query(insertPosting, [entry, ids[`deposits:ethereum ${usdc}`], usdc, '5'])
    await raw.query(insertPosting, [entry, ids[`available ${usdc}`], usdc, '-4'])
    await expect(raw.query('commit')).rejects.toMatchObject({
      code: '23514',
      message: expect.stringContaining('does not balance'),
    })
    expect(await counts()).toEqual(before)
  })

  test('refuses one asset against another at commit', async () => {
    const ids = await accountIds()
    const raw = await connect()
    const entry = newId()
    await raw.query('begin')
    await raw.query(insertEntry, [entry])
    await raw.query(insertPosting, [entry, ids[`deposits:ethereum ${usdc}`], usdc, '5'])
    await raw.query(insertPosting, [entry, ids[`available ${usdt}`], usdt, '-5'])
    await expect(raw.query('commit')).rejects.toMatchObject({ code: '23514' })
  })

  test('refuses a later posting that unbalances a balanced entry', async () => {
    const ids = await accountIds()
    const [entry] = await db.query<{ id: string }>('select id from ledger_entries limit 1')
    await expect(db.query(insertPosting, [entry?.id, ids[`available ${usdc}`], usdc, '-1'])).rejects.toThrow(
      'does not balance',
    )
  })

  test("refuses a posting whose asset differs from its account's", async () => {
    const ids = await accountIds()
    const raw = await connect()
    const entry = newId()
    await raw.query('begin')
    await raw.query(insertEntry, [entry])
    await expect(
      raw.query(insertPosting, [entry, ids[`available ${usdc}`], usdt, '5']),
    ).rejects.toMatchObject({ code: '23503' })
  })

  test('refuses a posting of zero, of a fraction of a unit, and one without an entry', async () => {
    const ids = await accountIds()
    const [entry] = await db.query<{ id: string }>('select id from ledger_entries limit 1')
    const account = ids[`available ${usdc}`]
    await expect(db.query(insertPosting, [entry?.id, account, usdc, '0'])).rejects.toThrow(
      'ledger_postings_amount_check',
    )
    // numeric(78, 0) rounds it to zero.
    await expect(db.query(insertPosting, [entry?.id, account, usdc, '0.4'])).rejects.toThrow(
      'ledger_postings_amount_check',
    )
    await expect(db.query(insertPosting, [newId(), account, usdc, '1'])).rejects.toThrow('foreign key')
  })

  test('has one account per name, business and asset, also for the platform', async () => {
    await accountIds()
    const insert =
      'insert into ledger_accounts (name, business_id, asset, normal_side) values ($1, $2, $3, $4)'
    await expect(db.query(insert, ['available', businessId, usdc, 'credit'])).rejects.toThrow('unique')
    await expect(db.query(insert, ['deposits:ethereum', null, usdc, 'debit'])).rejects.toThrow('unique')
  })

  test.each(['ledger_postings', 'ledger_entries', 'ledger_accounts'])(
    'never allows changing, deleting or truncating %s',
    async (table) => {
      await accountIds()
      const before = await counts()
      for (const statement of [
        `update ${table} set created_at = now()`,
        // Not even if nothing would change.
        `update ${table} set created_at = created_at where false`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        await expect(db.query(statement)).rejects.toMatchObject({
          code: '42501',
          message: expect.stringContaining('is append-only'),
        })
      }
      expect(await counts()).toEqual(before)
    },
  )
})

describe('a balance', () => {
  test('of an unused account is zero', async () => {
    expect(await balanceOf(db, available('polygon:USDC'))).toBe(0n)
    expect(await balanceOf(db, available(usdc, newId()))).toBe(0n)
  })

  test('is exact to the last unit, for any size', async () => {
    const asset = tokenAsset('bsc', 'USDT')
    const much = 10n ** 76n + 1n
    await write({ account: deposits(asset), amount: much }, { account: available(asset), amount: -much })
    await write({ account: deposits(asset), amount: -1n }, { account: available(asset), amount: 1n })
    expect(await balanceOf(db, available(asset))).toBe(10n ** 76n)
    expect(await balanceOf(db, deposits(asset))).toBe(10n ** 76n)
  })

  test('counts only one business', async () => {
    const asset = tokenAsset('base', 'USDC')
    await write(
      { account: deposits(asset), amount: 7n },
      { account: available(asset, businesses[1]), amount: -7n },
    )
    expect(await balanceOf(db, available(asset))).toBe(0n)
    expect(await balanceOf(db, available(asset, businesses[1]))).toBe(7n)
  })
})

test('two writers that need the same new account create one: the second waits for the first', async () => {
  const asset = tokenAsset('optimism', 'USDC')
  const postings = [
    { account: deposits(asset), amount: 3n },
    { account: pending(asset), amount: -3n },
  ]
  let second: Promise<unknown> | undefined
  await db.tx(async (tx) => {
    await post(tx, [entryWith(...postings)])
    second = write(...postings)
    // The second found no account, and waits to create it.
    await waitFor('the second to wait', async () => {
      const waiting = await db.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return waiting.length > 0
    })
  })
  await second
  expect(await balanceOf(db, pending(asset))).toBe(6n)
  expect(await db.query('select 1 from ledger_accounts where asset = $1', [asset])).toHaveLength(2)
})

test('after any balanced entries, every asset sums to zero and every balance matches the entries', async () => {
  const assets = [usdc, usdt, tokenAsset('arbitrum', 'USDC')]
  const accounts = (asset: string): Account[] => [
    deposits(asset),
    ...businesses.map((business) => available(asset, business)),
    { name: 'fees', businessId: null, asset },
    { name: 'network_costs', businessId: null, asset },
  ]
  const isDebit = ({ name }: Account) => name === 'network_costs' || name.startsWith('deposits:')
  /** Of a business: what it has, less what it owes. */
  const standing = async (account: Account) =>
    (await balanceOf(db, account)) -
    (account.businessId === null ? 0n : await balanceOf(db, { ...account, name: 'receivable' }))
  const amounts = fc.bigInt({ min: 1n, max: 10n ** 30n })
  /** Some amounts to accounts of one asset, and their sum from another account. */
  const leg = fc
    .record({
      asset: fc.constantFrom(...assets),
      to: fc.array(fc.tuple(fc.nat(3), amounts, fc.boolean()), { minLength: 1, maxLength: 3 }),
    })
    .map(({ asset, to }) => {
      const [balancing, ...others] = accounts(asset)
      const postings = to.map(([at, amount, out]) => ({
        account: others[at] as Account,
        amount: out ? -amount : amount,
      }))
      const rest = postings.reduce((sum, { amount }) => sum - amount, 0n)
      return rest === 0n ? postings : [...postings, { account: balancing as Account, amount: rest }]
    })
  const history = fc.array(
    fc.array(leg, { minLength: 1, maxLength: 2 }).map((legs) => legs.flat()),
    { minLength: 1, maxLength: 8 },
  )

  const key = (account: Account) => `${account.name} ${account.businessId} ${account.asset}`
  const all = assets.flatMap(accounts)
  const expected = new Map<string, bigint>()
  for (const account of all) expected.set(key(account), await standing(account))

  await fc.assert(
    fc.asyncProperty(history, async (entries) => {
      for (const postings of entries) {
        await db.tx((tx) => post(tx, [{ ...entryWith(...postings), mayOwe: true }]))
        for (const { account, amount } of postings) {
          const change = isDebit(account) ? amount : -amount
          expected.set(key(account), (expected.get(key(account)) as bigint) + change)
        }
      }
      const sums = await db.query<{ asset: string; sum: string }>(
        'select asset, sum(amount) from ledger_postings group by asset',
      )
      expect(sums.filter(({ sum }) => sum !== '0')).toEqual([])
      for (const account of all)
        expect([key(account), await standing(account)]).toEqual([key(account), expected.get(key(account))])
    }),
    // A failure leaves its rows in the ledger, so it must not shrink.
    { numRuns: howMany(20, 500), endOnFailure: true },
  )
})
