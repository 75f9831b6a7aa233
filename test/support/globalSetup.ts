import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMigrator } from '../../migrations/migrator.ts'
import { ensureDatabase, startPostgres } from '../../scripts/local/postgres.ts'
import { startRedis } from '../../scripts/local/redis.ts'
import type { Family } from '../../src/chains/chain.ts'
import { keyDerivers } from '../../src/chains/keyDerivers.ts'
import { fillPool } from '../../src/custody/depositPool.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openSeed } from '../../src/custody/seed.ts'
import { openDb } from '../../src/platform/db.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { compileContracts } from '../devnets/compile.ts'
import { seedKey, templateDatabase } from './template.ts'

/** One Postgres for the whole run, with a template database that suites clone: migrated, a full pool, no more. */
export default async function globalSetup(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'cowry-test-'))
  // Postgres may run as another user, who must be able to enter it.
  chmodSync(home, 0o755)
  const postgres = await startPostgres({ home, durable: false })
  const redis = await startRedis({ home, durable: false, say: (text) => process.stderr.write(`${text}\n`) })
  // Suites start their own; this one only made sure that there is a Redis to start.
  await redis.stop()
  compileContracts()
  const url = await ensureDatabase(postgres, templateDatabase)
  const db = openDb(url, 2)
  await createMigrator(db).up()
  const seed = await openSeed({ db, keyProvider: envKeyProvider(new Secret(seedKey)) })
  for (const family of Object.keys(keyDerivers) as Family[]) await fillPool({ db, deriver: keyDerivers[family], seed }, family, 400)
  await db.close()
  process.env.COWRY_TEST_POSTGRES = postgres.url('{database}')
  process.env.COWRY_TEST_HOME = home
  Object.assign(globalThis, { cowryTestPostgres: postgres })
}
