import type pg from 'pg'
import { Sequelize, Transaction } from 'sequelize'
import { clientTimeout, type Db, type DbTimes, destroyWhenGivenUp, setTimes, type Tx, usualTimes } from './db.ts'

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

/** What Sequelize looks at before it gives a connection to a caller. */
type PooledClient = Pick<pg.Client, 'query'> & { _invalid?: boolean }

// Sequelize's types leave its pool and its statements out; these name what we use of them.
interface ConnectionManager {
  getConnection(options: { type: 'read' | 'write' }): Promise<PooledClient>
  releaseConnection(client: PooledClient): void
}
const generatorOf = (sequelize: Sequelize) =>
  (sequelize.getQueryInterface() as unknown as { queryGenerator: { startTransactionQuery(): string } }).queryGenerator
const managerOf = (sequelize: Sequelize) => (sequelize as unknown as { connectionManager: ConnectionManager }).connectionManager
const clientOf = (transaction: Transaction) => (transaction as unknown as { connection: PooledClient }).connection

/**
 * Opens a pool. Models and plain SQL share it, so that both can stand in one transaction.
 * @param max connections at most; may go through PgBouncer in transaction mode (no statement is named)
 */
export function openModelDb(url: string, max: number, times: DbTimes = usualTimes): ModelDb {
  const sequelize = new Sequelize(url, {
    dialect: 'postgres',
    logging: false,
    pool: { max, min: 0, idle: 30_000, acquire: times.waitMs },
    // No startup parameter that a pooler in transaction mode refuses: the session is told.
    dialectOptions: { application_name: 'cowry', query_timeout: clientTimeout(times) },
  })
  sequelize.addHook('afterConnect', async (connection) => {
    const client = connection as PooledClient
    destroyWhenGivenUp(client, () => {
      client._invalid = true
    })
    await client.query(setTimes(times))
  })
  // One round trip, as `openDb` has it.
  generatorOf(sequelize).startTransactionQuery = () => `START TRANSACTION; ${setTimes(times, 'local')};`
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
