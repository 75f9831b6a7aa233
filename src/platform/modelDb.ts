import type pg from 'pg'
import { Sequelize, Transaction } from 'sequelize'
import { clientTimeout, type Db, type DbTimes, destroyWhenGivenUp, setTimes, type Tx, usualTimes } from './db.ts'

/** One open transaction: plain SQL with `query`, models with `{ transaction }`. */
export interface ModelTx extends Tx {
  transaction: Transaction
}

/** A pool shared by models and plain SQL. */
export interface ModelDb extends Db {
  sequelize: Sequelize
  tx<T>(work: (tx: ModelTx) => Promise<T>): Promise<T>
  snapshot<T>(work: (tx: ModelTx) => Promise<T>): Promise<T>
}

/** Fields that Sequelize checks before it hands out a connection. */
type PooledClient = Pick<pg.Client, 'query'> & { _invalid?: boolean }

// Sequelize's types omit its pool and its statements; these declare the parts in use.
interface ConnectionManager {
  getConnection(options: { type: 'read' | 'write' }): Promise<PooledClient>
  releaseConnection(client: PooledClient): void
}
const generatorOf = (sequelize: Sequelize) =>
  (sequelize.getQueryInterface() as unknown as { queryGenerator: { startTransactionQuery(): string } }).queryGenerator
const managerOf = (sequelize: Sequelize) => (sequelize as unknown as { connectionManager: ConnectionManager }).connectionManager
const clientOf = (transaction: Transaction) => (transaction as unknown as { connection: PooledClient }).connection

/**
 * Opens a pool shared by models and plain SQL, so that both can take part in one transaction.
 * @param max maximum connections; PgBouncer in transaction mode works (no named statements)
 */
export function openModelDb(url: string, max: number, times: DbTimes = usualTimes): ModelDb {
  const sequelize = new Sequelize(url, {
    dialect: 'postgres',
    logging: false,
    pool: { max, min: 0, idle: 30_000, acquire: times.waitMs },
    // A pooler in transaction mode refuses startup parameters: set them in the session instead.
    dialectOptions: { application_name: 'cowry', query_timeout: clientTimeout(times) },
  })
  sequelize.addHook('afterConnect', async (connection) => {
    const client = connection as PooledClient
    destroyWhenGivenUp(client, () => {
      client._invalid = true
    })
    await client.query(setTimes(times))
  })
  // One round trip, as in `openDb`.
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
