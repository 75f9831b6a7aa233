import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ensureDatabase } from '../../scripts/local/postgres.ts'
import { testDatabaseUrl } from '../../test/support/database.ts'
import type { Scope } from '../scope.ts'

/** An empty database in the run's Postgres; dropped with `scope`. */
export async function createEmptyDatabase(scope: Scope): Promise<string> {
  const urlOf = await testDatabaseUrl()
  const name = `peer_${randomBytes(6).toString('hex')}`
  return scope.keep(await ensureDatabase({ url: urlOf }, name), async () => {
    const admin = new pg.Client({ connectionString: urlOf('postgres') })
    await admin.connect()
    try {
      await admin.query(`drop database if exists ${name} with (force)`)
    } finally {
      await admin.end()
    }
  })
}
