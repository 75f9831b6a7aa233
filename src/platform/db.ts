import pg from 'pg'
import { Sequelize, Transaction } from 'sequelize'

export type Row = Record<string, unknown>

/** Anything a parametrised statement can be run on: the pool, or one transaction. */
export interface Queryable {
  query<R extends object = Row>(text: string, values?: unknown[]): Promise<R[]>
}

/** One open transaction: plain SQL by `query`, models by `{ transaction }`. */
export interface Tx extends Queryable {
  transaction: Transaction
}

export interface Db extends Queryable {
  sequelize: Sequelize
  /** Runs `work` in a transaction: committed when it returns, rolled back when it throws. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs several reads that see the database as of one moment. */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
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
export function openDb(url: string, max: number, queryTimeoutMs = 30_000): Db {
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

function txOf(transaction: Transaction): Tx {
  const client = clientOf(transaction)
  return {
    transaction,
    async query<R extends object>(text: string, values: unknown[] = []) {
      return (await client.query(text, values)).rows as R[]
    },
  }
}

/** A connection outside the pool, for what needs a real session: LISTEN, advisory locks, the watch tail. */
export interface DirectConnection extends Queryable {
  on(event: 'notification', listener: (channel: string, payload?: string) => void): void
  /** Resolves with the reason once the connection is gone; never rejects. */
  readonly lost: Promise<Error>
  close(): Promise<void>
}

/**
 * Connects to Postgres itself.
 * @throws when the address leads to a transaction pooler: session state would silently be lost there.
 */
export async function openDirect(url: string, name: string): Promise<DirectConnection> {
  const client = new pg.Client({ connectionString: url, application_name: name, keepAlive: true })
  let report: (error: Error) => void = () => {}
  const lost = new Promise<Error>((resolve) => {
    report = resolve
  })
  client.on('error', report)
  client.on('end', () => report(new Error('the connection was closed')))
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // A pooler hands out a key of its own making at connect; Postgres hands out the backend's pid.
  const told = (client as unknown as { processID: number }).processID
  if (rows[0]?.pid !== told) {
    await client.end()
    throw new Error('DATABASE_DIRECT_URL leads to a connection pooler; give it the address of Postgres itself')
  }
  return {
    lost,
    async query<R extends object>(text: string, values: unknown[] = []) {
      return (await client.query(text, values)).rows as R[]
    },
    on: (_event, listener) => {
      client.on('notification', (message) => listener(message.channel, message.payload))
    },
    close: () => client.end(),
  }
}

/** Whether a failure is that the database cannot be reached, or is going down: not a fault of the statement, and worth a later try. */
export function isDatabaseAway(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause ?? (cause as { parent?: unknown }).parent, depth++) {
    const code = (cause as { code?: unknown }).code
    // Class 08: connection; 57P: shutdown; 53300: no connection left (PostgreSQL, appendix A).
    if (typeof code === 'string' && /^(08|57P)|^53300$|^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)$/.test(code)) return true
    if (/^Sequelize(Connection|HostNotFound|HostNotReachable)/.test(cause.name) || /Connection terminated|Query read timeout/.test(cause.message))
      return true
  }
  return false
}
