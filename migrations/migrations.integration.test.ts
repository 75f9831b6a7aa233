import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { down } from './0043-actions.ts'
import { down as downClaimable } from './0050-claimable-transfers.ts'
import { down as downSwaps } from './0145-swaps.ts'
import { migrationNames, requireMigrated } from './migrated.ts'
import { createMigrator } from './migrator.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** The whole schema as sorted text; without weekly partitions, which depend on the time of creation. */
async function schema(): Promise<string[]> {
  const rows = await database.db.query<{ part: string }>(
    `select format('%s.%s %s %s default %s', table_name, column_name, data_type, is_nullable, column_default) as part from information_schema.columns where table_schema = 'public'
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select format('%s: %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint where connamespace = 'public'::regnamespace
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
     union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
     order by 1`,
  )
  return rows.map(({ part }) => part).filter((part) => !/_p\d{8}/.test(part))
}

test('every migration goes forward and back, one step at a time and all at once, to the same schema', async () => {
  const migrator = createMigrator(database.db)
  const newest = await schema()
  expect(newest.length).toBeGreaterThan(100)
  for (const name of migrationNames.toReversed()) {
    await migrator.down()
    await expect(requireMigrated(database.db)).rejects.toThrow(name)
    await migrator.up({ maxSteps: 1 })
    expect(await schema()).toEqual(newest)
    await migrator.down()
    newest.length = 0
    newest.push(...(await schema()))
  }
  expect(newest.filter((part) => !part.includes('migrations'))).toEqual([])
  await migrator.up()
  await expect(requireMigrated(database.db)).resolves.toBeUndefined()
})

const all = (table: string) => database.db.query<Record<string, unknown>>(`select * from ${table}`)

/** A row in each table, as the version before stores it. */
async function fill(): Promise<void> {
  const [business, intent] = [newId(), newId()]
  const { db } = database
  await db.query("insert into businesses (id, name) values ($1, 'Shop')", [business])
  await db.query(
    `insert into outgoing (id, business_id, purpose, chain, signer, from_address, to_address, symbol, decimals, amount, status, looks, renewals, gone_since, next_look_at)
     values ($1, $2, 'transfer', 'ethereum', 'caller', '0xa', '0xb', 'ETH', 18, 5, 'broadcast', 7, 1, now(), now())`,
    [intent, business],
  )
  await db.query(
    `insert into outgoing_transactions (outgoing_id, number, chain, sequence, terms, tx_id, bytes, signed_at, is_outbid, was_taken)
     values ($1, 0, 'ethereum', 3, '{"besides":"0"}', '0x1', 'bytes', now(), true, true)`,
    [intent],
  )
  await db.query(
    "insert into outgoing_sequences (chain, address, sequence, outgoing_id) values ('ethereum', '0xa', 3, $1)",
    [intent],
  )
  await db.query("insert into outgoing_pauses (chain, reason) values ('tron', 'test')")
  await db.query(
    "insert into treasury_signatures (outgoing_id, chain, tx_id, sequence) values ($1, 'ethereum', '0x1', 3)",
    [intent],
  )
  await db.query(
    `insert into prepared_transfers (id, business_id, chain, intent, terms, sequence, expires_at)
     values ($1, $2, 'ethereum', '{"to":"0xb"}', '{}', 3, now())`,
    [newId(), business],
  )
}

/** Everything in the schema that is named after the old or the new tables. */
const named = async (pattern: string): Promise<string[]> =>
  (
    await database.db.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relname ~ $1
       union all select conname from pg_constraint where connamespace = 'public'::regnamespace and conname ~ $1
       union all select tgname from pg_trigger where not tgisinternal and (tgname ~ $1 or pg_get_triggerdef(oid) ~ $1)
       union all select proname from pg_proc where pronamespace = 'public'::regnamespace and (proname ~ $1 or prosrc ~ $1)
       union all select attname from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and attname ~ $1
       union all select description from pg_description where description ~ $1`,
      [pattern],
    )
  ).map(({ name }) => name)

test('the tables of the transaction manager are renamed with their rows, their parts and their comments, and back', async () => {
  const migrator = createMigrator(database.db)
  await migrator.down({ to: '0042-transaction-manager' })
  const before = await named('outgoing|outbid')
  expect(before.length).toBeGreaterThan(20)
  await fill()
  const tables = [
    'outgoing',
    'outgoing_transactions',
    'outgoing_sequences',
    'outgoing_pauses',
    'treasury_signatures',
    'prepared_transfers',
  ]
  const rows = Object.fromEntries(
    await Promise.all(tables.map(async (table) => [table, await all(table)] as const)),
  )

  await migrator.up()
  expect(await named('outgoing|outbid|renewals|gone_since|look_at')).toEqual([])
  expect(await all('intents')).toMatchObject([
    { reconciles: 7, resigns: 1, unminable_since: expect.any(Date), next_reconcile_at: expect.any(Date) },
  ])
  const [intent] = await all('intents')
  expect(await all('intent_attempts')).toMatchObject([
    { intent_id: intent?.id, nonce: '3', terms: { besides: '0' }, nonce_taken: true, was_taken: true },
  ])
  expect(await all('intent_nonces')).toEqual([
    { chain: 'ethereum', address: '0xa', nonce: '3', intent_id: intent?.id },
  ])
  expect(await all('sending_pauses')).toMatchObject([{ chain: 'tron', reason: 'test' }])
  expect(await all('treasury_signatures')).toMatchObject([{ intent_id: intent?.id, nonce: '3' }])
  expect(await all('prepared_transfers')).toMatchObject([{ transfer: { to: '0xb' }, nonce: '3' }])

  await migrator.down({ to: '0042-transaction-manager' })
  for (const table of tables) expect([table, await all(table)]).toEqual([table, rows[table]])
  expect((await named('outgoing|outbid')).sort()).toEqual(before.sort())
  expect(await named('^(intents|intent_attempts|intent_nonces|sending_pauses)')).toEqual([])
  await migrator.up()
})

test('an intent of the version before stays a transfer; one that it cannot read keeps the database from going back', async () => {
  const migrator = createMigrator(database.db)
  await migrator.up()
  await migrator.down({ to: '0043-actions' })
  const before = await all('intents')
  expect(before).toHaveLength(1)
  await migrator.up()
  expect(await all('intents')).toMatchObject([
    { ...before[0], calls: null, cosigners: null, spends: null, receives: null },
  ])
  const newer = [
    'business_id = null',
    "purpose = 'sweep'",
    "signer = 'deposit'",
    "to_address = null, symbol = null, decimals = null, amount = null, calls = '[{}]', cosigners = '{}', spends = '[]', receives = '[]'",
  ]
  for (const change of newer) {
    const back = database.db.tx(async (tx) => {
      await tx.query(`update intents set ${change}`)
      await down(tx)
    })
    await expect(back).rejects.toThrow('the version before cannot read them')
  }
  for (const change of ['amount = null', "calls = '[{}]'", "spends = '[]'"])
    await expect(database.db.query(`update intents set ${change}`)).rejects.toThrow('intents_action_check')
})

test('a swap keeps the database from going back until it has ended for good', async () => {
  await createMigrator(database.db).up()
  for (const change of ["purpose = 'swap'", "purpose = 'swap-approval'", 'follows = id']) {
    const settled = database.db.tx(async (tx) => {
      await tx.query(`update intents set next_reconcile_at = now(), ${change}`)
      await expect(downSwaps(tx)).rejects.toThrow('the version before cannot continue them')
      await tx.query('update intents set next_reconcile_at = null')
      await downSwaps(tx)
      throw new Error('taken back')
    })
    await expect(settled).rejects.toThrow('taken back')
  }
})

test('a transfer that waits for its recipient, or becomes a claimable balance, keeps the database from going back until it is settled', async () => {
  const migrator = createMigrator(database.db)
  await migrator.up()
  const refused = [
    "if_no_trustline = 'wait'",
    'wait_until = now()',
    "if_no_trustline = 'claimable', wait_until = now()",
    "if_no_trustline = 'x'",
  ]
  for (const change of refused)
    await expect(database.db.query(`update intents set contract = 'USDC:G', ${change}`)).rejects.toThrow(
      'intents_if_no_trustline_check',
    )
  const settled = database.db.tx(async (tx) => {
    await tx.query(
      "update intents set contract = 'USDC:G', if_no_trustline = 'wait', wait_until = now(), next_reconcile_at = now()",
    )
    await expect(downClaimable(tx)).rejects.toThrow('the version before cannot send them')
    await tx.query('update intents set next_reconcile_at = null')
    await downClaimable(tx)
    throw new Error('undone')
  })
  await expect(settled).rejects.toThrow('undone')
})

test('a database migrated by a newer version is refused', async () => {
  await database.db.query("insert into migrations (name) values ('9999-future')")
  await expect(requireMigrated(database.db)).rejects.toThrow('newer version: 9999-future')
})
