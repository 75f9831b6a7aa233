import type pg from 'pg'
import { Sequelize, Transaction } from 'sequelize'
import type { Db, Tx } from './db.ts'

/** One open transaction: plain SQL by `query`, models by `{ transaction }`. */
export interface ModelTx extends Tx {
  transaction: Transaction
}

/** A pool that models and plain SQL share. */
export interface ModelDb extends Db {
  sequelize: Sequelize
  tx<T>(work: (tx: ModelTx) => Promise<T>): Promise<T>
  snapshot<T>(work: (tx: ModelTx) => Promise<T>): Promise<T>
}

type PooledClient = Pick<pg.Client, 'query'>

// Sequelize's types leave its pool out, though it is documented; these two name what we use of it.
interface ConnectionManager {
  getConnection(options: { type: 'read' | 'write' }): Promise<PooledClient>
  releaseConnection(client: PooledClient): void
}
const managerOf = (sequelize: Sequelize) => (sequelize as unknown as { connectionManager: ConnectionManager }).connectionManager
const clientOf = (transaction: Transaction) => (transaction as unknown as { connection: PooledClient }).connection

/**
 * Opens a pool. Models and plain SQL share it, so that both can stand in one transaction.
 * @param max connections at most; may go through PgBouncer in transaction mode (no statement is named)
 * @param queryTimeoutMs after which a statement is given up; 0: never, for migrations
 */
export function openModelDb(url: string, max: number, queryTimeoutMs = 30_000): ModelDb {
  const sequelize = new Sequelize(url, {
    dialect: 'postgres',
    logging: false,
    pool: { max, min: 0, idle: 30_000, acquire: 30_000 },
    // No startup parameter that a pooler in transaction mode refuses: the time limit is the client's.
    dialectOptions: { application_name: 'cowry', query_timeout: queryTimeoutMs },
  })
  const manager = managerOf(sequelize)
  return {
    sequelize,
    async query<R extends object>(text: string, values: unknown[] = []) {
      const client = await manager.getConnection({ type: 'write' })
      try {
        return (await client.query(text, values)).rows as R[]
      } finally {
        manager.releaseConnection(client)
      }
    },
    tx: (work) => sequelize.transaction((transaction) => work(txOf(transaction))),
    snapshot: (work) =>
      sequelize.transaction({ isolationLevel: Transaction.ISOLATION_LEVELS.REPEATABLE_READ, readOnly: true }, (transaction) =>
        work(txOf(transaction)),
      ),
    close: () => sequelize.close(),
  }
}

function txOf(transaction: Transaction): ModelTx {
  const client = clientOf(transaction)
  return {
    isTransaction: true,
    transaction,
    async query<R extends object>(text: string, values: unknown[] = []) {
      return (await client.query(text, values)).rows as R[]
    },
  }
}
