import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { balanceOf } from '../src/ledger/balance.ts'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { createMigrator } from './migrator.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const asset = 'ethereum:USDC'

test('balances are those of the postings of before, and what a business had too little is owed by it', async () => {
  const { db } = database
  const migrator = createMigrator(db)
  await migrator.down({ to: '0060-ledger-accounts' })
  const [rich, poor] = [newId(), newId()]
  for (const id of [rich, poor])
    await db.query("insert into businesses (id, name) values ($1, 'A shop')", [id])
  await db.query(
    `insert into ledger_accounts (name, business_id, asset, normal_side)
     values ('deposits:ethereum', null, $1, 'debit'), ('available', $2, $1, 'credit'), ('pending', $2, $1, 'credit'), ('available', $3, $1, 'credit'),
       ('suspense', null, $1, 'credit')`,
    [asset, rich, poor],
  )
  const post = (account: string, businessId: string | null, amount: number) =>
    db.tx(async (tx) => {
      const entry = newId()
      await tx.query(
        "insert into ledger_entries (id, kind, business_id, cause_kind, reference, step) values ($1::uuid, 'old', $2, 'old', $1::uuid::text, 1)",
        [entry, businessId],
      )
      await tx.query(
        `insert into ledger_postings (entry_id, account_id, asset, amount)
         select $1::uuid, id, asset, case name when $2 then -$3::numeric else $3::numeric end from ledger_accounts
         where asset = $4 and (name = $2 and business_id is not distinct from $5 or name = 'deposits:ethereum')`,
        [entry, account, amount, asset, businessId],
      )
    })
  await post('available', rich, 70)
  await post('available', rich, -30)
  await post('pending', rich, 5)
  await post('suspense', null, 9)
  // More went out than came in.
  await post('available', poor, 20)
  await post('available', poor, -33)
  const before = await db.query(
    'select id, entry_id, account_id, asset, amount from ledger_postings order by id',
  )

  await migrator.up()
  const balances = async () => ({
    deposits: await balanceOf(db, { name: 'deposits:ethereum', businessId: null, asset }),
    suspense: await balanceOf(db, { name: 'suspense', businessId: null, asset }),
    rich: [
      await balanceOf(db, { name: 'available', businessId: rich, asset }),
      await balanceOf(db, { name: 'pending', businessId: rich, asset }),
    ],
    poor: [
      await balanceOf(db, { name: 'available', businessId: poor, asset }),
      await balanceOf(db, { name: 'receivable', businessId: poor, asset }),
    ],
  })
  const expected = { deposits: 41n, suspense: 9n, rich: [40n, 5n], poor: [0n, 13n] }
  expect(await balances()).toEqual(expected)
  expect(
    (await db.query('select id, entry_id, account_id, asset, amount from ledger_postings order by id')).slice(
      0,
      before.length,
    ),
  ).toEqual(before)
  expect(
    await db.query("select kind, business_id, cause_kind from ledger_entries where kind <> 'old'"),
  ).toEqual([{ kind: 'receivable.opened', business_id: poor, cause_kind: 'ledger_account' }])
  expect(await db.query('select asset, sum(amount) from ledger_postings group by 1')).toEqual([
    { asset, sum: '0' },
  ])

  // Back and up again: the entry stays, and nothing is moved a second time.
  await migrator.down({ to: '0060-ledger-accounts' })
  await migrator.up()
  expect(await balances()).toEqual(expected)
  expect(await db.query("select 1 from ledger_entries where kind = 'receivable.opened'")).toHaveLength(1)
})
