import { createHash } from 'node:crypto'
import type { Family } from '../src/chains/chain.ts'
import { openDirect } from '../src/platform/database/db.ts'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { progress } from './progress.ts'
import type { Scope } from './scope.ts'

const shared = new Map<string, Promise<TestDatabase>>()

export const syntheticWatches = 1_000_000

/** The watched addresses, from 1 on: hashes of the numbers. */
export const syntheticAddress = (number: number): Buffer =>
  createHash('sha256').update(String(number)).digest().subarray(0, 20)

/** SQL of the same addresses, in the form that each family matches. */
const addressSql: Partial<Record<Family, string>> = {
  evm: "substring(sha256(convert_to(i::text, 'UTF8')) from 1 for 20)",
  // Forty-four characters of base58, like `syntheticSolanaAddress`.
  solana:
    "convert_to(translate(encode(sha256(convert_to(i::text, 'UTF8')), 'base64'), '+/=0OIl', '1234567'), 'UTF8')",
}

/** A database with that many watches; created once per run and shared. */
export function watchedDatabase(
  run: Scope,
  count = syntheticWatches,
  family: Family = 'evm',
): Promise<TestDatabase> {
  const key = `${family} ${count}`
  const known = shared.get(key) ?? make(run, count, family)
  shared.set(key, known)
  return known
}

async function make(run: Scope, count: number, family: Family): Promise<TestDatabase> {
  const database = run.keep(await createTestDatabase(10), (each) => each.drop())
  progress(`inserting ${count.toLocaleString('en')} watches`)
  const business = newId()
  await database.db.query("insert into businesses (id, name) values ($1, 'Bench')", [business])
  // Not through the pool, whose statement timeout is 30 s.
  const direct = await openDirect(database.url, 'cowry bench')
  try {
    // Ids with the format and order of UUIDv7.
    await direct.query(
      `insert into watches (id, family, address, business_id, purpose, subject_id)
       select (lpad(to_hex(1700000000000 + i), 12, '0') || '7000' || '8' || substr(md5(i::text), 1, 15))::uuid, $3,
         ${addressSql[family]}, $1, 'session', gen_random_uuid()
       from generate_series(1, $2::bigint) as i`,
      [business, count, family],
    )
    await direct.query('vacuum (analyze) watches')
  } finally {
    await direct.close()
  }
  return database
}
