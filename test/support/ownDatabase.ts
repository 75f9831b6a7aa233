import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMigrator } from '../../migrations/migrator.ts'
import { ensureDatabase, type LocalPostgres, startPostgres } from '../../scripts/local/postgres.ts'
import { openModelDb } from '../../src/platform/database/modelDb.ts'
import type { TestDatabase } from './database.ts'

/** A Postgres of a suite's own, which it may end, copy or replicate. */
export interface OwnDatabase {
  /** The folder of the server, and of standbys beside it. */
  home: string
  /** The server that was started last. */
  server(): LocalPostgres
  url: string
  /** Starts the server on its folder again, after it has ended. @param port the default is a free one */
  startAgain(port?: number): Promise<void>
  /** For `createStack`. @param url another way to the database, such as a proxy */
  database(url?: string): TestDatabase
  /** Ends the server, and removes its folder. */
  remove(): Promise<void>
}

/** A server with an empty, migrated database `cowry`. @param name of its folder */
export async function createOwnDatabase(name: string): Promise<OwnDatabase> {
  const home = mkdtempSync(join(tmpdir(), `cowry-${name}-`))
  let server = await startPostgres({ home, durable: false })
  const url = await ensureDatabase(server, 'cowry')
  const migrating = openModelDb(url, 2)
  await createMigrator(migrating).up()
  await migrating.close()
  return {
    home,
    server: () => server,
    url,
    async startAgain(port) {
      server = await startPostgres({ home, durable: false, ...(port !== undefined && { port }) })
    },
    database(through = url) {
      const db = openModelDb(through, 5)
      return { url: through, db, drop: () => db.close().catch(() => {}) }
    },
    async remove() {
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
