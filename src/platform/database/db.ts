import pg from 'pg'
import { ConfigError } from '../config.ts'
import { timeStatement } from '../telemetry/tracing.ts'
import { readOnlyCode } from './databaseAway.ts'
import { explained, postgresAddress, TlsRefusedError } from './databaseTls.ts'
import { createOneByOne } from './oneByOne.ts'
import { hasStaleNames, prepared, usePrepared } from './prepared.ts'
import { type Begin, type Client, type Queryable, type Tx, transact } from './transaction.ts'

export type { Queryable, Tx }

/** A pool of connections for plain SQL. `ModelDb` adds models. */
export interface Db extends Queryable {
  /** Runs `work` in a transaction: commits when it returns, rolls back when it throws. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs reads that see the database at one moment. */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A pool that knows the notifications of its own transactions. */
export interface OwnDb extends Db {
  /**
   * @param backend the process id that came with a notification; of a pool behind a pooler never its own
   */
  isOwn(backend: number): boolean
}

/** Idle connections are closed after this. */
const idleMs = 30_000

/** Time limits for the database. */
export interface DbTimes {
  /**
   * The database cancels a statement after this time, and ends a transaction idle for as long; 0: never, for
   * migrations.
   */
  statementMs: number
  /** Maximum wait of a caller for a connection, free or new. */
  waitMs: number
}

export const usualTimes: DbTimes = { statementMs: 30_000, waitMs: 30_000 }

/** The configured times, or the defaults of the process. */
export const timesOf = (
  config: { DATABASE_STATEMENT_MS: number | undefined; DATABASE_WAIT_MS: number | undefined },
  usual: DbTimes = usualTimes,
): DbTimes => ({
  statementMs: config.DATABASE_STATEMENT_MS ?? usual.statementMs,
  waitMs: config.DATABASE_WAIT_MS ?? usual.waitMs,
})

/** The database cancels first. The client gives up only if the database does not answer at all. */
export const clientTimeout = ({ statementMs }: DbTimes): number =>
  statementMs === 0 ? 0 : statementMs + 2000

/** The locks of a frozen or lost process are limited to this time. */
export const setTimes = ({ statementMs }: DbTimes): string =>
  `set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = ${statementMs}`

/** The same settings as on Sequelize's connections. */
const session = "set client_min_messages to warning; set time zone interval '+00:00' hour to minute"

/**
 * A statement that the client gave up may still run: destroy its connection, so that it never serves another
 * caller. The same where the database is read-only: after a failover a connection may still lead to the
 * server that was demoted. The same where names of prepared statements became useless.
 * @param destroyed notifies a pool that would notice too late
 */
export function destroyWhenGivenUp(connected: object, destroyed: () => void = () => {}): void {
  const client = connected as Client
  const query = (client.query as (...args: unknown[]) => unknown).bind(client)
  const check = (error: unknown) => {
    const { message, code, routine } = (error ?? {}) as {
      message?: unknown
      code?: unknown
      routine?: unknown
    }
    if (message !== givenUp && code !== readOnlyCode && !hasStaleNames({ code, routine })) return
    destroyed()
    client.connection?.stream.destroy()
  }
  client.query = (...args: unknown[]) => {
    const done = args.at(-1)
    if (typeof done === 'function') {
      const checked = (error: unknown, result: unknown) => {
        check(error)
        done(error, result)
      }
      return query(...args.slice(0, -1), checked)
    }
    const answer = query(...args)
    ;(answer as { then?(done: null, failed: (error: unknown) => void): unknown } | undefined)?.then?.(
      null,
      check,
    )
    return answer
  }
}

/** The message of `pg`. */
const givenUp = 'Query read timeout'

/**
 * Sends settings of a new session, in one round trip with a question: a pooler sends a key of its own at
 * connect, Postgres the backend's pid. Prepared statements are used only without a pooler.
 * @returns the pid; null behind a pooler
 */
export async function setUpSession(connected: object, settings: string): Promise<number | null> {
  const client = connected as { processID?: number; query(text: string): Promise<unknown> }
  const results = (await client.query(`${settings}; select pg_backend_pid() as pid`)) as {
    rows: { pid: number }[]
  }[]
  const pid = results.at(-1)?.rows[0]?.pid
  if (pid === undefined || pid !== client.processID) return null
  usePrepared(client)
  return pid
}

/**
 * PostgreSQL's date, date[] and numeric[] as text, as Sequelize reads them. The defaults are times at local
 * midnight, and numbers that lose digits.
 */
const asTexts = new Map<number, (text: string) => unknown>([
  [1082, (text) => text],
  [1182, pg.types.getTypeParser(1009 as never)],
  [1231, pg.types.getTypeParser(1009 as never)],
])

/**
 * Opens a pool for a process without models; does not load Sequelize.
 * @param max maximum connections; PgBouncer in transaction mode works (then without prepared statements)
 */
export function openDb(url: string, max: number, times: DbTimes = usualTimes): OwnDb {
  const backends = new Map<object, number>()
  const pool = new pg.Pool({
    ...postgresAddress(url),
    max,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: times.waitMs,
    application_name: 'cowry',
    // A pooler in transaction mode refuses startup parameters: set them in the session instead.
    query_timeout: clientTimeout(times),
    types: {
      getTypeParser: (oid: number, format?: 'text') =>
        asTexts.get(oid) ?? pg.types.getTypeParser(oid, format),
    } as pg.CustomTypesConfig,
    onConnect: async (client) => {
      destroyWhenGivenUp(client)
      const pid = await setUpSession(client, `${session}; ${setTimes(times)}`)
      if (pid !== null) backends.set(client, pid)
    },
  })
  // A broken connection leaves the pool by itself; its running statement fails with the reason.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  pool.on('remove', (client) => void backends.delete(client))

  const explain = (error: unknown): never => {
    throw explained(error, url)
  }
  const within = <T>(begin: Begin, work: (tx: Tx) => Promise<T>) =>
    transact(
      {
        connect: () => pool.connect().catch(explain),
        release: (client, undetermined) => client.release(undetermined),
      },
      begin,
      work,
    )
  return {
    query: <R extends object>(text: string, values: unknown[] = []) =>
      timeStatement(text, async () => (await pool.query(text, values).catch(explain)).rows as R[]),
    tx: (work) => within(startTransaction(times), work),
    snapshot: (work) => within(startSnapshot(times), work),
    close: () => pool.end(),
    isOwn: (backend) => [...backends.values()].includes(backend),
  }
}

/** A pooler in transaction mode may give a transaction any session, so each sets its times. */
const beginWith = (start: string, { statementMs }: DbTimes): Begin => [
  [prepared(start), []],
  [setTimesLocal, [String(statementMs)]],
]
const setTimesLocal = prepared(
  `select set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`,
)

export const startTransaction = (times: DbTimes): Begin => beginWith('start transaction', times)
export const startSnapshot = (times: DbTimes): Begin =>
  beginWith('start transaction isolation level repeatable read, read only', times)

/** A connection outside the pool, for session features: LISTEN, advisory locks, the watch tail. */
export interface DirectConnection extends Queryable {
  on(
    event: 'notification',
    listener: (channel: string, payload: string | undefined, backend: number) => void,
  ): void
  /** Resolves with the reason once the connection is lost; never rejects. */
  readonly lost: Promise<Error>
  close(): Promise<void>
}

async function connect(url: string, name: string, waitMs: number): Promise<pg.Client> {
  const client = new pg.Client({
    ...postgresAddress(url),
    application_name: name,
    keepAlive: true,
    connectionTimeoutMillis: waitMs,
  })
  client.on('error', () => {})
  await client.connect().catch((error) => {
    throw explained(error, url)
  })
  return client
}

/**
 * Connects to Postgres itself.
 * @param waitMs maximum wait for the connection; 0: as long as the system tries
 * @throws if the address leads to a transaction pooler, where session state would be lost silently
 */
export async function openDirect(url: string, name: string, waitMs = 0): Promise<DirectConnection> {
  const client = await connect(url, name, waitMs)
  let report: (error: Error) => void = () => {}
  const lost = new Promise<Error>((resolve) => {
    report = resolve
  })
  client.on('error', report)
  client.on('end', () => report(new Error('the connection was closed')))
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  // A pooler sends a key of its own at connect; Postgres sends the backend's pid.
  const announcedPid = (client as unknown as { processID: number }).processID
  if (rows[0]?.pid !== announcedPid) {
    await client.end()
    throw new ConfigError(
      'DATABASE_DIRECT_URL leads to a connection pooler; give it the address of Postgres itself',
    )
  }
  // A heartbeat may come while another statement runs, which the client does not support.
  const oneByOne = createOneByOne()
  return {
    lost,
    query: async <R extends object>(text: string, values: unknown[] = []) =>
      (await oneByOne('', () => client.query(text, values))).rows as R[],
    on: (_event, listener) => {
      client.on('notification', (message) => listener(message.channel, message.payload, message.processId))
    },
    close: () => client.end(),
  }
}

/**
 * For starts: refuses an address of the database that cannot serve what it is for. A database that is away
 * throws nothing: its readiness shows it, and the first connection that listens finds a pooler.
 * @param use `pooled`: for processes without notifications and locks, which may use a pooler alone
 * @throws ConfigError where the direct address leads to a pooler, or TLS is refused
 */
export async function refuseWrongAddress(
  config: { DATABASE_URL: string; DATABASE_DIRECT_URL?: string | undefined },
  waitMs: number,
  use: 'direct' | 'pooled' = 'direct',
): Promise<void> {
  const directUrl = use === 'direct' ? (config.DATABASE_DIRECT_URL ?? config.DATABASE_URL) : null
  const tries = new Set([config.DATABASE_URL, ...(directUrl === null ? [] : [directUrl])])
  for (const url of tries)
    try {
      if (url === directUrl) await (await openDirect(url, 'cowry start', waitMs)).close()
      else await (await connect(url, 'cowry start', waitMs)).end()
    } catch (error) {
      if (error instanceof TlsRefusedError) throw new ConfigError(error.message)
      if (error instanceof ConfigError) throw error
    }
}

/** For readiness and starts. @throws when the database does not answer, or takes no writes */
export async function requireWritable(db: Queryable): Promise<void> {
  const [row] = await db.query<{ isReadOnly: boolean }>(
    `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
  )
  if (row?.isReadOnly !== false)
    throw Object.assign(new Error('the database is read-only'), { code: readOnlyCode })
}
