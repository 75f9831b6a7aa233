import { createHash } from 'node:crypto'
import { openDirect } from '../src/platform/db.ts'
import { newId } from '../src/platform/ids.ts'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { progress } from './progress.ts'
import type { Scope } from './scope.ts'

const shared = new Map<number, Promise<TestDatabase>>()

export const madeUpWatches = 1_000_000

/** The addresses that are watched, from 1 on: hashes of the numbers. */
export const madeUpAddress = (number: number): Buffer => createHash('sha256').update(String(number)).digest().subarray(0, 20)

/** A database with that many watches; made once in a run and shared. */
export function watchedDatabase(run: Scope, count = madeUpWatches): Promise<TestDatabase> {
  const known = shared.get(count) ?? make(run, count)
  shared.set(count, known)
  return known
}

async function make(run: Scope, count: number): Promise<TestDatabase> {
  const database = run.keep(await createTestDatabase(10), (each) => each.drop())
  progress(`inserting ${count.toLocaleString('en')} watches`)
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
      [business, count],
    )
    await direct.query('vacuum (analyze) watches')
  } finally {
    await direct.close()
  }
  return database
}
