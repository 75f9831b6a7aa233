import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import pg from 'pg'
import { type ModelDb, openModelDb } from '../../src/platform/database/modelDb.ts'
import { callCoordinator } from '../run/coordinator.ts'
import { templateDatabase } from './template.ts'

export interface TestDatabase {
  url: string
  db: ModelDb
  drop(): Promise<void>
}

const cloned = channel('cowry.clone')
const waited = channel('cowry.wait')

/** The URL of a database of the run's Postgres, which starts with the first request. */
export async function testDatabaseUrl(): Promise<(database: string) => string> {
  const coordinator = process.env.COWRY_TEST_COORDINATOR
  if (!coordinator)
    throw new Error('only *.integration.test.ts has a database: rename the suite (docs/testing.md)')
  const started = performance.now()
  const pattern = await callCoordinator(coordinator, 'postgres')
  waited.publish({ name: "the run's Postgres", ms: performance.now() - started })
  return (database) => pattern.replace('{database}', database)
}

/** A clone of the template, for one suite. */
export async function createTestDatabase(connections = 5): Promise<TestDatabase> {
  const urlOf = await testDatabaseUrl()
  const started = performance.now()
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = async (sql: string) => {
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    await client.connect()
    try {
      // Postgres refuses to clone a template that another connection is cloning.
      await client.query("select pg_advisory_lock(hashtext('clone'))")
      await client.query(sql)
    } finally {
      await client.end()
    }
  }
  // Copying files takes half as long as writing all pages to the log.
  await admin(`create database ${name} template ${templateDatabase} strategy file_copy`)
  cloned.publish({ ms: performance.now() - started })
  const url = urlOf(name)
  const db = openModelDb(url, connections)
  return {
    url,
    db,
    async drop() {
      await db.close()
      await admin(`drop database if exists ${name} with (force)`)
    },
  }
}
