import { timeStatement } from '../telemetry/tracing.ts'
import { Batch, type Result, type Statement } from './batch.ts'
import { nameOf, prepared } from './prepared.ts'

type Row = Record<string, unknown>

/** Runs parametrised statements: the pool or one transaction. */
export interface Queryable {
  query<R extends object = Row>(text: string, values?: unknown[]): Promise<R[]>
}

/** One open transaction. */
export interface Tx extends Queryable {
  /**
   * Distinguishes a transaction from the pool, so that the type checker refuses the pool where a transaction
   * is needed.
   */
  readonly isTransaction: true
  /**
   * Sends a statement whose answer is not needed: with the next statement, at the latest with the commit. If
   * it fails, these fail.
   */
  send(text: string, values: unknown[]): void
}

/** A client of `pg`. */
export interface Client {
  query: unknown
  connection?: { stream: { destroy(): void } }
}

interface Connections<C> {
  connect(): Promise<C>
  /** @param undetermined the state of its transaction is unknown: do not use the connection again */
  release(connection: C, undetermined: Error | undefined): unknown
}

/** Statements that open a transaction, each with its values. */
export type Begin = readonly (readonly [text: string, values: unknown[]])[]

/**
 * Runs `work` in a transaction on a connection of a pool: commits when it returns, rolls back when it throws.
 * Its start is sent with the first statement.
 * @throws also where `work` caught the failure of a statement and returned: Postgres has rolled back
 * @param work `connection` is for a caller with statements of its own: it passes earlier ones on first
 */
export async function transact<C extends Client, T>(
  pool: Connections<C>,
  begin: Begin,
  work: (tx: Tx, connection: () => C) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const open = openTransaction(client, begin)
  try {
    let result: T
    try {
      result = await work(open.tx, () => {
        open.flush()
        return client
      })
    } catch (error) {
      await open.rollback()
      throw error
    }
    await open.commit()
    return result
  } finally {
    await pool.release(client, open.undetermined())
  }
}

const [commitSql, rollbackSql] = [prepared('commit'), prepared('rollback')]

/**
 * Statements of one turn of the event loop go to Postgres together, in their order. If one fails, the
 * transaction is aborted in any case, and all after it fail.
 */
function openTransaction(client: Client, begin: Begin) {
  let waiting: Statement[] = []
  let isScheduled = false
  let isBegun = false
  let isOver = false
  let undetermined: Error | undefined
  /** The failure of a statement that has no caller. */
  let failed: Error | undefined

  const add = (text: string, values: unknown[], done: Statement['done']) =>
    void waiting.push({ text, values, name: nameOf(client, text), done })
  const flush = () => {
    isScheduled = false
    if (waiting.length === 0) return
    const batch = new Batch(client, waiting)
    waiting = []
    isBegun = true
    // The statements' own callers get the error.
    ;(client.query as (batch: Batch, done: () => void) => unknown)(batch, () => {})
  }
  const noteFailure = (error: Error | null) => {
    if (error) failed ??= error
  }
  const run = (text: string, values: unknown[]) =>
    new Promise<Result>((resolve, reject) => {
      add(text, values, (error, result) => (error || !result ? reject(error) : resolve(result)))
    })
  /**
   * Runs the last statement. @returns what Postgres did: it answers a commit with `ROLLBACK`, and no error,
   * where a statement has failed
   */
  const end = async (text: string) => {
    isOver = true
    const done = run(text, [])
    flush()
    const { command } = await done.catch((error) => {
      undetermined ??= error
      throw error
    })
    return command
  }

  async function query<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    if (isOver) throw new Error('the transaction is over')
    // Only the simple protocol takes several statements in one text.
    if (values.length === 0 && text.includes(';')) {
      flush()
      return (await (client.query as (text: string) => Promise<{ rows: R[] }>)(text)).rows
    }
    const done = run(text, values)
    if (!isScheduled) soon(flush)
    isScheduled = true
    try {
      return (await timeStatement(text, () => done)).rows as R[]
    } catch (error) {
      // The stack of the caller, not of the socket.
      Error.captureStackTrace(error as Error)
      throw error
    }
  }

  const tx: Tx = {
    isTransaction: true,
    query,
    send(text, values) {
      if (isOver) throw new Error('the transaction is over')
      add(text, values, noteFailure)
    },
  }
  for (const [text, values] of begin)
    add(text, values, (error) => {
      if (!error || !isBegun) return
      // Without the start, each later statement would be a transaction of its own.
      undetermined = error
      client.connection?.stream.destroy()
    })

  async function rollback(): Promise<void> {
    isOver = true
    const dropped = waiting
    waiting = []
    for (const { done } of dropped) done(new Error('the transaction was rolled back'))
    if (isBegun && !undetermined) await end(rollbackSql).catch(() => {})
  }

  return {
    tx,
    flush,
    rollback,
    undetermined: () => undetermined,
    async commit() {
      if (failed) {
        await rollback()
        throw failed
      }
      if ((await end(commitSql)) !== 'COMMIT')
        throw failed ?? new Error('the transaction was rolled back, because a statement in it failed')
    },
  }
}

/** After the promises that are settled now, and what they settle: their callers' next statements go along. */
const soon = (run: () => void) => void Promise.resolve().then(() => process.nextTick(run))
