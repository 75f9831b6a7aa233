import { configuredChains } from '../../src/chains/configuration.ts'
import type { Queryable } from '../../src/platform/database/db.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

/** Ethereum alone, by a node that nothing reads. */
export const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://127.0.0.1:1' })

/** A database in which sessions can be settled: the indexer has begun to follow ethereum. */
export async function createSessionDatabase(maxConnections?: number): Promise<TestDatabase> {
  const database = await createTestDatabase(maxConnections)
  await followEthereum(database.db)
  return database
}

export const followEthereum = (db: Queryable): Promise<unknown> =>
  db.query("insert into chain_cursors (chain, epoch) values ('ethereum', 1) on conflict do nothing")
