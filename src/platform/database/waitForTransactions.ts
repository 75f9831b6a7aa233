import { ApiError } from '../errors.ts'
import { pause } from '../wait.ts'
import type { Queryable } from './db.ts'

/** Longer than a transaction can stall: within a statement, and idle after it (`setTimes`). */
const usualMs = 65_000
const pollMs = 20

/**
 * Waits for the transactions that hold a row (`for key share`) in its state before a change. Call it after
 * the change has committed: later transactions read the new state, so only earlier ones can still use the old
 * one.
 *
 * A lock `for update` would wait too, but might never be granted: PostgreSQL lets others share the row ahead
 * of it. So this waits only for transactions that hold a row lock of the table now, and returns at once if
 * the row is free.
 * @throws ApiError 503 `unavailable` if they do not end in time; the change stays
 */
export async function waitForTransactions(
  db: Queryable,
  table: 'api_keys' | 'businesses' | 'verification_keys',
  id: string,
  maxMs = usualMs,
): Promise<void> {
  const holders = await db.query<{ transaction: string }>(
    `select distinct virtualtransaction as transaction from pg_locks
     where locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
       and relation = $1::regclass and mode = 'RowShareLock' and granted and pid <> pg_backend_pid()`,
    [table],
  )
  const transactions = holders.map(({ transaction }) => transaction)
  const until = performance.now() + maxMs
  for (;;) {
    const [free] = await db.query(`select 1 from ${table} where id = $1 for update skip locked`, [id])
    if (free) return
    const under = await db.query(
      `select 1 from pg_locks where locktype = 'virtualxid' and virtualtransaction = any($1) limit 1`,
      [transactions],
    )
    if (under.length === 0) return
    if (performance.now() > until)
      throw new ApiError(
        503,
        'unavailable',
        'The change is stored, but transactions from before it are still running; repeat the request',
        {
          retryAfterSeconds: 5,
        },
      )
    await pause(pollMs)
  }
}
