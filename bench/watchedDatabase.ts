import { openDirect, type Queryable } from '../src/platform/db.ts'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { progress } from './progress.ts'
import type { Scope } from './scope.ts'

let shared: Promise<TestDatabase> | undefined

export const madeUpWatches = 1_000_000

/** A database with that many watches; made once in a run and shared. */
export function watchedDatabase(run: Scope): Promise<TestDatabase> {
  shared ??= make(run)
  return shared
}

/** Watches some more addresses; gives how many are watched now. */
export async function watchMore(db: Queryable, addresses: readonly Uint8Array[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with added as (
       insert into watches (id, family, address, business_id, purpose, subject_id)
       select t.id, 'evm', t.address, b.id, 'session', gen_random_uuid() from unnest($1::uuid[], $2::bytea[]) as t(id, address), businesses b
       returning 1)
     select ((select count(*) from watches) + (select count(*) from added))::int as count`,
    [addresses.map(() => newId()), addresses.map((address) => Buffer.from(address))],
  )
  return row?.count ?? 0
}

async function make(run: Scope): Promise<TestDatabase> {
  const database = run.keep(await createTestDatabase(10), (each) => each.drop())
  progress(`inserting ${madeUpWatches.toLocaleString('en')} watches`)
  const business = newId()
  await database.db.query("insert into businesses (id, name) values ($1, 'Bench')", [business])
  // Not through the pool, whose statements may take 30 s at most.
  const direct = await openDirect(database.url, 'cowry bench')
  try {
    // Ids in the form and the order of UUIDv7.
    await direct.query(
      `insert into watches (id, family, address, business_id, purpose, subject_id)
       select (lpad(to_hex(1700000000000 + i), 12, '0') || '7000' || '8' || substr(md5(i::text), 1, 15))::uuid, 'evm',
         substring(sha256(convert_to(i::text, 'UTF8')) from 1 for 20), $1, 'session', gen_random_uuid()
       from generate_series(1, $2::bigint) as i`,
      [business, madeUpWatches],
    )
    await direct.query('vacuum (analyze) watches')
  } finally {
    await direct.close()
  }
  return database
}
