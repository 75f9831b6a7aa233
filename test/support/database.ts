import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Db, openDb } from '../../src/platform/db.ts'
import { templateDatabase } from './template.ts'

export interface TestDatabase {
  url: string
  db: Db
  drop(): Promise<void>
}

/** A database of the caller's own: a clone of the template. */
export async function createTestDatabase(connections = 5): Promise<TestDatabase> {
  const pattern = process.env.COWRY_TEST_POSTGRES
  if (!pattern) throw new Error('the tests run under Jest with its globalSetup')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: pattern.replace('{database}', 'postgres') })
    await client.connect()
    try {
      // Two clones of one template at once disturb each other; so they stand in line.
      await client.query("select pg_advisory_lock(hashtext('clone'))")
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  await admin(`create database ${name} template ${templateDatabase}`)
  const url = pattern.replace('{database}', name)
  const db = openDb(url, connections)
  return {
    url,
    db,
    async drop() {
      await db.close()
      await admin(`drop database if exists ${name} with (force)`)
    },
  }
}
