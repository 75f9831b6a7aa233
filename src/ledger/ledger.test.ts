import { afterAll, beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { businessModel } from '../accounts/models.ts'
import { newId } from '../platform/ids.ts'
import { balanceOf } from './balance.ts'
import { type Account, type Posting, post } from './post.ts'

let database: TestDatabase
const businessId = newId()
const usdc = 'ethereum:USDC'
const usdt = 'ethereum:USDT'
const deposits = (asset: string): Account => ({ name: 'deposits:ethereum', businessId: null, asset })
const available = (asset: string): Account => ({ name: 'available', businessId, asset })

beforeAll(async () => {
  database = await createTestDatabase()
  await businessModel(database.db.sequelize).create({
    id: businessId,
    name: 'B',
    localCurrency: null,
    feePercent: '0',
    fxMarginPercent: '0',
    accepted: null,
  })
})
afterAll(() => database?.drop())

const enter = (postings: Posting[]) => database.db.tx((tx) => post(tx, { kind: 'test', businessId, reference: 'test' }, postings))
const count = async () => (await database.db.query<{ n: number }>('select count(*)::int as n from ledger_postings'))[0]?.n

test('a balanced entry is kept, and balances are positive on their normal side', async () => {
  await enter([
    { account: deposits(usdc), amount: 100n },
    { account: available(usdc), amount: -100n },
  ])
  expect(await balanceOf(database.db, deposits(usdc))).toBe(100n)
  expect(await balanceOf(database.db, available(usdc))).toBe(100n)
})

test('raw SQL that inserts an unbalanced posting is refused by the database, at the commit', async () => {
  const before = await count()
  let insertedBeforeCommit = false
  await expect(
    database.db.tx(async (tx) => {
      const [account] = await tx.query<{ id: string }>('select id from ledger_accounts where name = $1 and asset = $2', ['available', usdc])
      await tx.query("insert into ledger_entries (id, kind, reference) values ($1, 'raw', 'raw')", ['01890000-0000-7000-8000-000000000001'])
      await tx.query(
        "insert into ledger_postings (entry_id, account_id, asset, amount) values ('01890000-0000-7000-8000-000000000001', $1, $2, -1)",
        [account?.id, usdc],
      )
      insertedBeforeCommit = true
    }),
  ).rejects.toThrow('does not balance: ethereum:USDC is off by -1')
  expect(insertedBeforeCommit).toBe(true)
  expect(await count()).toBe(before)
})

test('a posting added later to an entry that balanced is refused too', async () => {
  await expect(
    database.db.query(
      'insert into ledger_postings (entry_id, account_id, asset, amount) select entry_id, account_id, asset, 5 from ledger_postings limit 1',
    ),
  ).rejects.toThrow('does not balance')
})

test('two assets do not balance each other', async () => {
  await expect(
    enter([
      { account: deposits(usdc), amount: 100n },
      { account: available(usdt), amount: -100n },
    ]),
  ).rejects.toThrow('does not balance')
})

test('a posting in an asset that is not its account’s is refused', async () => {
  await expect(
    database.db.query(
      "insert into ledger_postings (entry_id, account_id, asset, amount) select entry_id, account_id, 'ethereum:USDT', amount from ledger_postings where asset = 'ethereum:USDC'",
    ),
  ).rejects.toThrow('violates foreign key constraint')
})

test.each([
  'update ledger_postings set amount = amount + 1',
  'delete from ledger_postings',
  'truncate ledger_postings',
  'update ledger_entries set kind = $$x$$',
  'delete from ledger_entries',
  'truncate ledger_entries cascade',
  'update ledger_accounts set name = $$x$$',
  'delete from ledger_accounts',
  'truncate ledger_accounts cascade',
])('what is written stays: %s is refused', async (sql) => {
  const before = await count()
  await expect(database.db.query(sql)).rejects.toThrow('append-only')
  expect(await count()).toBe(before)
})

test('whatever balanced entries are posted, every asset sums to zero and each balance is the sum of its own', async () => {
  const accounts: Account[] = [deposits(usdc), available(usdc), { name: 'pending', businessId, asset: usdc }]
  const amount = fc.bigInt({ min: 1n, max: 10n ** 30n })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(2), fc.nat(2), amount), { minLength: 1, maxLength: 8 }), async (moves) => {
      const start = await Promise.all(accounts.map((account) => balanceOf(database.db, account)))
      // Deposits stand on the debit side, the business's accounts on the credit side.
      const side = [1n, -1n, -1n]
      const expected = [...start]
      for (const [from, to, value] of moves.filter(([one, other]) => one !== other)) {
        await enter([
          { account: accounts[from] as Account, amount: value },
          { account: accounts[to] as Account, amount: -value },
        ])
        expected[from] = (expected[from] ?? 0n) + value * (side[from] ?? 0n)
        expected[to] = (expected[to] ?? 0n) - value * (side[to] ?? 0n)
      }
      expect(await Promise.all(accounts.map((account) => balanceOf(database.db, account)))).toEqual(expected)
      expect(await database.db.query('select asset from ledger_postings group by asset having sum(amount) <> 0')).toEqual([])
    }),
    { numRuns: 15 },
  )
})
