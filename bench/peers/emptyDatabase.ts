import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { ensureDatabase } from '../../scripts/local/postgres.ts'
import type { Scope } from '../scope.ts'

/** A database with nothing in it, in the run's own Postgres; gone with `scope`. */
export async function createEmptyDatabase(scope: Scope): Promise<string> {
  const pattern = process.env.COWRY_TEST_POSTGRES
  if (!pattern) throw new Error('there is no Postgres: the bench starts it')
  const name = `peer_${randomBytes(6).toString('hex')}`
  const urlOf = (database: string) => pattern.replace('{database}', database)
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
