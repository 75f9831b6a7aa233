import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { showMe } from '../src/accounts/showMe.ts'
import { configuredChains } from '../src/chains/configuration.ts'
import { envKeyProvider } from '../src/custody/keyProvider.ts'
import { openSeed } from '../src/custody/seed.ts'
import { readDetections } from '../src/monitoring/readDetections.ts'
import { Secret } from '../src/platform/secrets.ts'
import { getSession } from '../src/sessions/getSession.ts'
import { getTransfer } from '../src/transfers/getTransfer.ts'
import { readAttempts } from '../src/txmgr/attempts.ts'
import { dueIntents } from '../src/txmgr/dueIntents.ts'
import { getDelivery } from '../src/webhooks/getDelivery.ts'
import { checkoutUrl } from '../test/support/checkoutUrl.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { seedKey } from '../test/support/template.ts'
import { migrationNames, requireMigrated } from './migrated.ts'
import { createMigrator } from './migrator.ts'

/** The newest migration of the version before. Its data are in test/fixtures/databases. */
const before = '0041-mailed-resets'
const recorded = readFileSync(join(import.meta.dirname, '../test/fixtures/databases/0041.sql'), 'utf8')

/** Tables and columns of the version before that have another name now, by their names then. */
const renamed: Readonly<Record<string, { table?: string; columns?: Readonly<Record<string, string>> }>> = {
  outgoing: {
    table: 'intents',
    columns: {
      looks: 'reconciles',
      renewals: 'resigns',
      gone_since: 'unminable_since',
      next_look_at: 'next_reconcile_at',
    },
  },
  outgoing_transactions: {
    table: 'intent_attempts',
    columns: { outgoing_id: 'intent_id', sequence: 'nonce', is_outbid: 'nonce_taken' },
  },
  outgoing_sequences: { table: 'intent_nonces', columns: { outgoing_id: 'intent_id', sequence: 'nonce' } },
  outgoing_pauses: { table: 'sending_pauses' },
  treasury_signatures: { columns: { outgoing_id: 'intent_id', sequence: 'nonce' } },
  prepared_transfers: { columns: { intent: 'transfer', sequence: 'nonce' } },
}

interface Table {
  name: string
  columns: string[]
}

/** Rows of a table, and a digest of every byte of them. */
interface Content {
  rows: number
  digest: string
}

let database: TestDatabase
/** Tables of the version before, with its columns. */
let tables: Table[]
let contents: Record<string, Content>

beforeAll(async () => {
  database = await createTestDatabase()
  await stepBack()
  tables = await readTables()
  await load()
  contents = await contentsOf(tables)
})
afterAll(() => database?.drop())

const stepBack = () =>
  createMigrator(database.db).down({ to: migrationNames[migrationNames.indexOf(before) + 1] ?? '' })

/** All tables but the list of migrations; partitions are read through their parents. */
const readTables = () =>
  database.db.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'
     group by 1 order by 1`,
  )

/**
 * Replaces the template's rows. Like a restored dump, without triggers: counts and queues are recorded, too.
 */
const load = () =>
  database.db.tx(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')}`)
    await tx.query(recorded)
  })

/** @param named the tables by their names at present, in the order of `tables` */
async function contentsOf(named: readonly Table[]): Promise<Record<string, Content>> {
  const all: Record<string, Content> = {}
  for (const [index, { name, columns }] of named.entries()) {
    const rows = await database.db.query<{ row: string }>(
      `select row(${columns.map((column) => `"${column}"`).join(', ')})::text as row from "${name}"`,
    )
    const digest = createHash('sha256')
    for (const row of rows.map((each) => each.row).sort()) digest.update(`${row}\n`)
    all[tables[index]?.name ?? name] = { rows: rows.length, digest: digest.digest('hex') }
  }
  return all
}

const asNamedNow = (): Table[] =>
  tables.map(({ name, columns }) => ({
    name: renamed[name]?.table ?? name,
    columns: columns.map((column) => renamed[name]?.columns?.[column] ?? column),
  }))

/** Every foreign key is checked again: rows were loaded without triggers. */
async function brokenReferences(): Promise<string[]> {
  const keys = await database.db.query<{
    name: string
    child: string
    parent: string
    pairs: [string, string][]
  }>(
    `select conname as name, conrelid::regclass::text as child, confrelid::regclass::text as parent,
       (select json_agg(json_build_array(c.attname, p.attname)) from unnest(conkey, confkey) as k(c, p)
        join pg_attribute c on c.attrelid = conrelid and c.attnum = k.c join pg_attribute p on p.attrelid = confrelid and p.attnum = k.p) as pairs
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`,
  )
  expect(keys.length).toBeGreaterThan(40)
  const broken: string[] = []
  for (const { name, child, parent, pairs } of keys) {
    const set = pairs.map(([column]) => `c."${column}" is not null`).join(' and ')
    const same = pairs.map(([column, key]) => `c."${column}" = p."${key}"`).join(' and ')
    const [lost] = await database.db.query(
      `select 1 from ${child} c where ${set} and not exists (select 1 from ${parent} p where ${same}) limit 1`,
    )
    if (lost) broken.push(`${child}: ${name}`)
  }
  return broken
}

test('the recorded database of the version before has rows in every table, and every reference in it holds', async () => {
  expect(Object.entries(contents).flatMap(([name, { rows }]) => (rows === 0 ? [name] : []))).toEqual([])
  expect(Object.keys(contents).length).toBeGreaterThan(50)
  expect(await brokenReferences()).toEqual([])
})

test('it migrates to the newest version without a changed byte in any column that it had', async () => {
  await createMigrator(database.db).up()
  await requireMigrated(database.db)
  expect(await contentsOf(asNamedNow())).toEqual(contents)
  expect(await brokenReferences()).toEqual([])
})

interface Owned {
  id: string
  business_id: string
}

test('this version reads its transfers with their attempts, its sessions, deliveries, detections, accounts and the seed', async () => {
  const { db } = database
  const intents = await db.query<Owned & { tx_id: string | null }>(
    'select id, business_id, tx_id from intents',
  )
  expect(intents.length).toBeGreaterThan(20)
  let attempts = 0
  for (const { id, business_id, tx_id } of intents) {
    const transfer = await getTransfer({ db }, business_id, id)
    expect(transfer).toMatchObject({
      id,
      txHash: tx_id,
      status: expect.stringMatching(/^(pending|confirmed|failed)$/),
    })
    const made = await readAttempts(db, id)
    attempts += made.length
    // Its hash leads to the transfer, too.
    if (tx_id !== null) expect((await getTransfer({ db }, business_id, tx_id)).txHash).toBe(tx_id)
  }
  expect(attempts).toBe(contents.outgoing_transactions?.rows)
  const rollback = new Error('rollback')
  const everyUnsettledIsDue = db.tx(async (tx) => {
    const unsettled = await tx.query<{ id: string }>(
      'update intents set next_reconcile_at = now() where next_reconcile_at is not null returning id',
    )
    expect(unsettled.length).toBeGreaterThan(3)
    expect((await dueIntents(tx)).sort()).toEqual(unsettled.map(({ id }) => id).sort())
    throw rollback
  })
  await expect(everyUnsettledIsDue).rejects.toBe(rollback)

  const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })
  for (const { id, business_id, status } of await db.query<Owned & { status: string }>(
    'select id, business_id, status from pos_sessions',
  ))
    expect(await getSession({ db, chains, checkoutUrl }, business_id, id)).toMatchObject({ id, status })
  for (const { id, business_id, attempts } of await db.query<Owned & { attempts: number }>(
    `select id, business_id, (select count(*)::int from webhook_attempts a where a.delivery_id = d.id) as attempts from webhook_deliveries d`,
  ))
    expect((await getDelivery({ db }, business_id, id)).attempts).toHaveLength(attempts)
  const monitored = await db.query<Owned>(
    'select d.id, d.business_id from detections d join monitored_addresses a on a.id = d.watch_id',
  )
  expect(monitored.length).toBeGreaterThan(5)
  for (const { id, business_id } of monitored)
    expect(await readDetections(db, business_id, [id])).toMatchObject([{ detectionId: id }])
  for (const { id, email } of await db.query<{ id: string; email: string }>('select id, email from accounts'))
    expect((await showMe({ db, mailing: null }, id)).account.email).toBe(email)
  expect(
    (await openSeed({ db, keyProvider: envKeyProvider(new Secret(seedKey)) })).reveal().length,
  ).toBeGreaterThan(15)
})

test('it goes back to the version before with every byte as it was, and up again', async () => {
  await stepBack()
  expect(await readTables()).toEqual(tables)
  expect(await contentsOf(tables)).toEqual(contents)
  await createMigrator(database.db).up()
  expect(await contentsOf(asNamedNow())).toEqual(contents)
})
