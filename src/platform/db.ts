import pg from 'pg'

export type Row = Record<string, unknown>

/** Anything a parametrised statement can be run on: the pool, or one transaction. */
export interface Queryable {
  query<R extends object = Row>(text: string, values?: unknown[]): Promise<R[]>
}

/** One open transaction. */
export interface Tx extends Queryable {
  /** Tells a transaction from the pool, so that a function that needs one cannot be given the other. */
  readonly isTransaction: true
}

/** A pool of connections, for plain SQL. `ModelDb` has models as well. */
export interface Db extends Queryable {
  /** Runs `work` in a transaction: committed when it returns, rolled back when it throws. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs several reads that see the database as of one moment. */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Idle connections are closed after this; a caller waits as long for a free one. */
const poolMs = 30_000

/** The same settings as Sequelize gives its connections. */
const session = "set client_min_messages to warning; set time zone interval '+00:00' hour to minute"

/** PostgreSQL's date, date[] and numeric[]: as texts, as Sequelize reads them. By default they would be times at local midnight, and numbers that lose digits. */
const asTexts = new Map<number, (text: string) => unknown>([
  [1082, (text) => text],
  [1182, pg.types.getTypeParser(1009 as never)],
  [1231, pg.types.getTypeParser(1009 as never)],
])

/**
 * Opens a pool for a process that uses no models; it does not load Sequelize.
 * @param max connections at most; may go through PgBouncer in transaction mode (no statement is named)
 * @param queryTimeoutMs after which a statement is given up
 */
export function openDb(url: string, max: number, queryTimeoutMs = 30_000): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    idleTimeoutMillis: poolMs,
    connectionTimeoutMillis: poolMs,
    application_name: 'cowry',
    // No startup parameter that a pooler in transaction mode refuses: the time limit is the client's.
    query_timeout: queryTimeoutMs,
    types: { getTypeParser: (oid: number, format?: 'text') => asTexts.get(oid) ?? pg.types.getTypeParser(oid, format) } as pg.CustomTypesConfig,
    onConnect: async (client) => void (await client.query(session)),
  })
  // A connection that breaks leaves the pool by itself; the statement that it was running fails with the reason.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))

  async function within<T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let undetermined: Error | undefined
    const run = async (statement: string) => {
      try {
        await client.query(statement)
      } catch (error) {
        // What has become of the transaction is unknown: the connection is not used again.
        undetermined = error as Error
        throw error
      }
    }
    try {
      await run(begin)
      let result: T
      try {
        result = await work(txOf(client))
      } catch (error) {
        await run('rollback').catch(() => {})
        throw error
      }
      await run('commit')
      return result
    } finally {
      client.release(undetermined)
    }
  }
  return {
    query: async <R extends object>(text: string, values: unknown[] = []) => (await pool.query(text, values)).rows as R[],
    tx: (work) => within('start transaction', work),
    snapshot: (work) => within('start transaction isolation level repeatable read, read only', work),
    close: () => pool.end(),
  }
}

const txOf = (client: pg.PoolClient): Tx => ({
  isTransaction: true,
  query: async <R extends object>(text: string, values: unknown[] = []) => (await client.query(text, values)).rows as R[],
})

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
    if (
      /^Sequelize(Connection|HostNotFound|HostNotReachable)/.test(cause.name) ||
      /Connection terminated|connection error and is not queryable|Query read timeout|^timeout exceeded when trying to connect$/.test(cause.message)
    )
      return true
  }
  return false
}
