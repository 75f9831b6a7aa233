import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { insertBusiness } from '../../test/support/madeBusiness.ts'
import { sealedColumns } from '../capabilities.ts'
import { AppKey } from '../platform/appKey.ts'
import type { Db } from '../platform/database/db.ts'
import { newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { createRequestKey } from './requestKey.ts'
import { rollAppKey } from './rollAppKey.ts'
import { opensWith, openText, sealText } from './sealText.ts'

const newKey = () => new Secret(randomBytes(32).toString('base64'))
const [before, after] = [newKey(), newKey()]
/** As the processes and the command have it during the roll. */
const during = new AppKey(after, before)
const root = join(import.meta.dirname, '../..')
let database: TestDatabase
let requestKey: Secret

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** Columns of bytes that the application's key has not sealed, and what they hold. */
const otherBytes: Record<string, string> = {
  'api_keys.hash': 'a hash',
  'approvals.proof': 'a signature',
  'bridge_transfers.proof': 'a signature',
  'business_logos.image': 'public',
  'idempotency_keys.fingerprint': 'a hash by the key in request_keys',
  'intent_attempts.bytes': 'a signed transaction',
  'intent_attempts.proof': 'a signature',
  'intents.cancel_proof': 'a signature',
  'intents.proof': 'a signature',
  'invitations.token_hash': 'a hash',
  'ledger_closes.last_hash': 'a hash',
  'ledger_links.hash': 'a hash',
  'outflow_screenings.target': 'a hash, without an account number',
  'outflows.proof': 'a signature',
  'outflows.price_proof': 'a signature of the price',
  'passkey_challenges.challenge': 'a random value',
  'passkeys.credential_id': 'public',
  'passkeys.public_key': 'public',
  'payment_link_visits.visit': 'a hash',
  'payout_destinations.fingerprint': 'a hash by the key in request_keys',
  'payout_destinations.proof': 'a signature',
  'recovery_codes.hash': 'a hash',
  'refunds.claim_hash': 'a hash',
  'seeds.sealed': 'sealed under the key provider',
  'seeds.wrapped_key': 'sealed under the key provider',
  'session_texts.grams': 'bits of the texts beside it',
  'sign_ins.secret_hash': 'a hash',
  'stake_confirmations.proof': 'a signature',
  'stake_payments.proof': 'a signature',
  'stake_retries.proof': 'a signature',
  'stakes.terms_proof': 'a signature',
  'stakes.unstake_proof': 'a signature',
  'sweep_authorizations.nonce': 'public once it is sent',
  'sweep_authorizations.signature': 'an authorization to move to the treasury, public once it is sent',
  'wallet_keys.public_key': 'public',
  'wallet_keys.sealed': 'sealed under the key provider',
  'wallet_keys.wrapped_key': 'sealed under the key provider',
  'wallets.sealed': 'sealed to a key of wallet_keys',
  'verification_fields.sealed': 'sealed under the key in verifications.data_key',
  'verification_keys.hash': 'a hash',
  'verification_uploads.data_key': 'sealed with VERIFY_KEY',
  'verifications.data_key': 'sealed with VERIFY_KEY',
  'watches.address': 'public',
}

describe('the list of sealed columns', () => {
  test('has every column of bytes, unless this test names what it holds', async () => {
    const columns = await database.db.query<{ name: string }>(
      `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bytea'::regtype order by 1`,
    )
    const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
    expect(listed).toContain('accounts.totp_sealed')
    expect(Object.keys(otherBytes).filter((name) => !columns.some((column) => column.name === name))).toEqual(
      [],
    )
    expect(columns.map(({ name }) => name).filter((name) => !(name in otherBytes))).toEqual(
      [...listed].sort(),
    )
  })

  test('is of the files that seal with it, and no others do', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file),
    )
    const sealing = files.filter((file) =>
      /import \{[^}]*\b(sealText|sealBytes)\b[^}]*\} from/.test(
        readFileSync(join(root, 'src', file), 'utf8'),
      ),
    )
    expect(sealing.sort()).toEqual([
      'accounts/signingKeys.ts',
      'accounts/totp.ts',
      'collections/sealedPayer.ts',
      'custody/requestKey.ts',
      'custody/rollAppKey.ts',
      'destinations/sealedAccount.ts',
      'mail/queueMail.ts',
      'outflows/bank/sealedProfile.ts',
      // With VERIFY_KEY.
      'verification/dataKey.ts',
      'webhooks/ownHeaders.ts',
      'webhooks/secret.ts',
    ])
  })
})

const kinds = sealedColumns.map(({ table, column }) => `${table}.${column}`)
const rowsEach = 120

/** Rows of every table with sealed texts of their own. */
beforeEach(async () => {
  const { db } = database
  for (const table of [
    'mails',
    'signing_keys',
    'request_keys',
    'payout_destinations',
    'legal_profiles',
    'fiat_collections',
  ])
    await db.query(`delete from ${table}`)
  await db.query('update accounts set totp_sealed = null')
  await db.query('truncate webhook_endpoints cascade')
  const businessId = newId()
  await insertBusiness(db, businessId, 'sealed')
  const sealedOf = (table: string, column: string, id: string, key = before) => {
    const found = sealedColumns.find((each) => each.table === table && each.column === column)
    if (!found) throw new Error(`${table}.${column} is not sealed`)
    return sealText(key, found.context(id), new Secret(`${table}.${column} ${id}`))
  }
  requestKey = await createRequestKey({ db, appKey: before })()
  for (let i = 0; i < rowsEach; i++) {
    const [mail, key, account, endpoint, destination, profile] = [
      newId(),
      newId(),
      newId(),
      newId(),
      newId(),
      newId(),
    ]
    await insertBusiness(db, profile, 'profiled')
    await db.query('insert into legal_profiles (id, business_id, sealed) values ($1, $1, $2)', [
      profile,
      sealedOf('legal_profiles', 'sealed', profile),
    ])
    await db.query(
      `insert into payout_destinations (id, business_id, kind, fingerprint, network_id, bank_name, country, currency, sealed_account, usable_from)
       values ($1, $2, 'bank', $3, 'a', 'a', 'NG', 'NGN', $4, now())`,
      [
        destination,
        businessId,
        randomBytes(32),
        sealedOf('payout_destinations', 'sealed_account', destination),
      ],
    )
    const collection = newId()
    await db.query(
      `insert into fiat_collections (id, business_id, status, local_amount, currency, country, chain, token, address, partner, channel_id, account_type,
         sealed_payer, created_at, updated_at)
       values ($1, $2, 'pending', 1, 'NGN', 'NG', 'base', 'USDC', 'a', 'yellowcard', 'a', 'bank', $3, now(), now())`,
      [collection, businessId, sealedOf('fiat_collections', 'sealed_payer', collection)],
    )
    const [invitation] = await db.query<{ id: string }>(
      `insert into invitations (id, purpose, email, token_hash, mail, expires_at)
       values ($1, 'reset', $2, $3, 'waiting', now() + interval '1 hour') returning id`,
      [newId(), `${mail}@example.com`, randomBytes(32)],
    )
    await db.query(
      "insert into mails (id, kind, email, invitation_id, sealed) values ($1, 'reset', 'a@example.com', $2, $3)",
      [mail, invitation?.id, sealedOf('mails', 'sealed', mail)],
    )
    await db.query('insert into signing_keys (id, sealed, active_at) values ($1, $2, now())', [
      key,
      sealedOf('signing_keys', 'sealed', key),
    ])
    await db.query(
      "insert into accounts (id, name, email, password_hash, totp_sealed) values ($1, 'a', $2, 'x', $3)",
      [account, `${account}@example.com`, sealedOf('accounts', 'totp_sealed', account)],
    )
    await db.query(
      `insert into webhook_endpoints (id, business_id, url, sealed_secret, previous_sealed_secret, previous_until, sealed_headers)
       values ($1, $2, $3, $4, $5::bytea, case when $5::bytea is not null then now() + interval '1 hour' end, $6)`,
      [
        endpoint,
        businessId,
        `https://example.com/${endpoint}`,
        sealedOf('webhook_endpoints', 'sealed_secret', endpoint),
        // Some have neither a secret before nor headers.
        i % 2 === 0 ? sealedOf('webhook_endpoints', 'previous_sealed_secret', endpoint) : null,
        i % 3 === 0 ? sealedOf('webhook_endpoints', 'sealed_headers', endpoint) : null,
      ],
    )
  }
})

/** How many rows each column has, and how many of them a key opens to the right text. */
async function openedBy(key: Secret): Promise<Record<string, [rows: number, opened: number]>> {
  const counts: Record<string, [number, number]> = {}
  for (const { table, column, context } of sealedColumns) {
    const rows = await database.db.query<{ id: string; sealed: Buffer }>(
      `select id, ${column} as sealed from ${table} where ${column} is not null`,
    )
    const isRight = (id: string, sealed: Buffer) => {
      if (!opensWith(key, context(id), sealed)) return false
      const text = openText(key, context(id), sealed).reveal()
      expect(text).toBe(table === 'request_keys' ? requestKey.reveal() : `${table}.${column} ${id}`)
      return true
    }
    counts[`${table}.${column}`] = [rows.length, rows.filter(({ id, sealed }) => isRight(id, sealed)).length]
  }
  return counts
}
const all = (counts: Record<string, [number, number]>) =>
  kinds.filter((kind) => counts[kind]?.[0] === counts[kind]?.[1])
const none = (counts: Record<string, [number, number]>) => kinds.filter((kind) => counts[kind]?.[1] === 0)

test('every column is sealed with the new key, and nothing opens with the one before', async () => {
  const counts = await openedBy(before)
  expect(Object.values(counts).every(([rows]) => rows > 0)).toBe(true)
  expect([all(counts), none(await openedBy(after))]).toEqual([kinds, kinds])
  const rolled = await rollAppKey({ db: database.db, appKey: during }, sealedColumns)
  expect(rolled.map(({ table, column, ...rest }) => [`${table}.${column}`, rest])).toEqual(
    kinds.map((kind) => [kind, { rolled: counts[kind]?.[0], unopened: [] }]),
  )
  expect([all(await openedBy(after)), none(await openedBy(before))]).toEqual([kinds, kinds])
  // The hashes of Idempotency-Keys keep their key.
  expect((await createRequestKey({ db: database.db, appKey: after })()).reveal()).toBe(requestKey.reveal())
  const again = await rollAppKey({ db: database.db, appKey: during }, sealedColumns)
  expect(again.reduce((sum, each) => sum + each.rolled, 0)).toBe(0)
})

test('while it runs, processes with both keys open everything, and what they seal meanwhile is not lost', async () => {
  const { db } = database
  const rolling = rollAppKey({ db, appKey: during }, sealedColumns)
  let isRolling = true
  void rolling.finally(() => {
    isRolling = false
  })
  const context = sealedColumns.find(({ column }) => column === 'totp_sealed')?.context ?? String
  const accounts = await db.query<{ id: string }>('select id from accounts where totp_sealed is not null')
  let checked = 0
  const written: string[] = []
  // Two processes: one already seals with the new key, one still with the old. Both replace secrets while the
  // roll passes.
  while (isRolling) {
    const id = accounts[checked % accounts.length]?.id ?? ''
    const [row] = await db.query<{ sealed: Buffer }>(
      'select totp_sealed as sealed from accounts where id = $1',
      [id],
    )
    expect(openText(during, context(id), row?.sealed ?? Buffer.of()).reveal()).toContain(id)
    const key = checked % 2 === 0 ? after : before
    await db.query('update accounts set totp_sealed = $2 where id = $1', [
      id,
      sealText(key, context(id), new Secret(`changed ${id}`)),
    ])
    written.push(id)
    checked++
  }
  expect(checked).toBeGreaterThan(5)
  await rolling
  await rollAppKey({ db, appKey: during }, sealedColumns)
  for (const id of new Set(written)) {
    const [row] = await db.query<{ sealed: Buffer }>(
      'select totp_sealed as sealed from accounts where id = $1',
      [id],
    )
    expect(openText(after, context(id), row?.sealed ?? Buffer.of()).reveal()).toBe(`changed ${id}`)
  }
})

test('a secret that another process replaces between the read and the write of the roll stays, and is rolled by the next pass', async () => {
  const { db } = database
  const context = sealedColumns.find(({ column }) => column === 'totp_sealed')?.context ?? String
  const replaced = new Set<string>()
  // A process that still seals with the key before is quicker by a moment, once for each row.
  const overtaking = {
    ...db,
    query: async (sql: string, values: unknown[] = []) => {
      const id = String(values[0])
      if (sql.startsWith('update accounts') && !replaced.has(id)) {
        replaced.add(id)
        await db.query('update accounts set totp_sealed = $2 where id = $1', [
          id,
          sealText(before, context(id), new Secret(`replaced ${id}`)),
        ])
      }
      return db.query(sql, values)
    },
  } as Db
  const rolled = await rollAppKey({ db: overtaking, appKey: during }, sealedColumns)
  expect([replaced.size, rolled.find(({ table }) => table === 'accounts')]).toMatchObject([
    rowsEach,
    { rolled: rowsEach, unopened: [] },
  ])
  for (const id of replaced) {
    const [row] = await db.query<{ sealed: Buffer }>(
      'select totp_sealed as sealed from accounts where id = $1',
      [id],
    )
    expect(openText(after, context(id), row?.sealed ?? Buffer.of()).reveal()).toBe(`replaced ${id}`)
  }
})

test('a row that neither key opens is named and stays, and the others are rolled', async () => {
  const [broken] = await database.db.query<{ id: string }>('select id from mails order by id limit 1')
  await database.db.query(
    'update mails set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) where id = $1',
    [broken?.id],
  )
  const rolled = await rollAppKey({ db: database.db, appKey: during }, sealedColumns)
  expect(rolled.find(({ table }) => table === 'mails')).toMatchObject({
    rolled: rowsEach - 1,
    unopened: [broken?.id],
  })
})
