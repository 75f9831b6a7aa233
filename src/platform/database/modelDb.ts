import type pg from 'pg'
import { Sequelize, Transaction } from 'sequelize'
import { timeStatement } from '../telemetry/tracing.ts'
import { explained, postgresAddress } from './databaseTls.ts'
import {
  clientTimeout,
  type Db,
  type DbTimes,
  destroyWhenGivenUp,
  setTimes,
  setUpSession,
  startSnapshot,
  startTransaction,
  type Tx,
  usualTimes,
} from './db.ts'
import { type Begin, transact } from './transaction.ts'

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

// Sequelize's types omit its pool and its connections; these declare the parts in use.
interface ConnectionManager {
  getConnection(options: { type: 'read' | 'write' }): Promise<PooledClient>
  releaseConnection(client: PooledClient): void
  destroyConnection(client: PooledClient): Promise<void>
}
const managerOf = (sequelize: Sequelize) =>
  (sequelize as unknown as { connectionManager: ConnectionManager }).connectionManager

/**
 * Of models, for a transaction that this file opens and ends: Sequelize's own way takes longer than a
 * statement.
 */
interface OpenTransaction {
  /** Sequelize then refuses further statements. */
  finished?: 'commit' | 'rollback'
}

/**
 * Opens a pool shared by models and plain SQL, so that both can take part in one transaction.
 * @param max maximum connections; PgBouncer in transaction mode works (then without prepared statements)
 */
export function openModelDb(url: string, max: number, times: DbTimes = usualTimes): ModelDb {
  const { connectionString, ssl } = postgresAddress(url)
  const sequelize = new Sequelize(connectionString, {
    dialect: 'postgres',
    logging: false,
    pool: { max, min: 0, idle: 30_000, acquire: times.waitMs },
    // A pooler in transaction mode refuses startup parameters: set them in the session instead.
    dialectOptions: { application_name: 'cowry', query_timeout: clientTimeout(times), ...(ssl && { ssl }) },
  })
  sequelize.addHook('afterConnect', async (connection) => {
    const client = connection as PooledClient
    destroyWhenGivenUp(client, () => {
      client._invalid = true
    })
    await setUpSession(client, setTimes(times))
  })
  const manager = managerOf(sequelize)
  const connect = () =>
    manager.getConnection({ type: 'write' }).catch((error) => {
      throw explained(error, url)
    })
  const connections = {
    connect,
    release: (client: PooledClient, undetermined: Error | undefined) =>
      undetermined ? manager.destroyConnection(client) : manager.releaseConnection(client),
  }
  const within = <T>(begin: Begin, work: (tx: ModelTx) => Promise<T>) =>
    transact(connections, begin, async (tx, connection) => {
      let transaction: (Transaction & OpenTransaction) | undefined
      try {
        return await work({
          ...tx,
          get transaction() {
            transaction ??= Object.defineProperty(new Transaction(sequelize, {}), 'connection', {
              get: connection,
            })
            return transaction
          },
        })
      } finally {
        if (transaction) transaction.finished = 'commit'
      }
    })
  return {
    sequelize,
    async query<R extends object>(text: string, values: unknown[] = []) {
      const client = await connect()
      try {
        return (await timeStatement(text, () => client.query(text, values))).rows as R[]
      } finally {
        manager.releaseConnection(client)
      }
    },
    tx: (work) => within(startTransaction(times), work),
    snapshot: (work) => within(startSnapshot(times), work),
    close: () => sequelize.close(),
  }
}
