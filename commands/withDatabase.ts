import { type ModelDb, openModelDb } from '../src/platform/database/modelDb.ts'

/** Runs a command's work with one connection, and closes it. */
export async function withDatabase(url: string, work: (db: ModelDb) => Promise<void>): Promise<void> {
  const db = openModelDb(url, 1)
  try {
    await work(db)
  } finally {
    await db.close()
  }
}
