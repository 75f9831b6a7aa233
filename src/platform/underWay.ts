import type { Queryable } from './db.ts'
import { ApiError } from './errors.ts'
import { pause } from './wait.ts'

/** Longer than a transaction can stand still: within a statement, and idle after it (`setTimes`). */
const usualMs = 65_000
const pollMs = 20

/**
 * Waits for the transactions that keep a row (`for key share`) as it was before a change. Call it after the change has committed: whoever comes
 * later reads what is there now, so only those that were under way can still go by what was there before.
 *
 * A lock `for update` would wait as well, and never get its turn: PostgreSQL lets others share a row past the one who waits for it. So those
 * are waited for that had locked a row of the table by now, and no others; at once where nobody has this row.
 * @throws ApiError 503 `unavailable` where they do not end; the change stays
 */
export async function endOfWhatIsUnderWay(db: Queryable, table: 'api_keys' | 'businesses', id: string, maxMs = usualMs): Promise<void> {
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
    const under = await db.query(`select 1 from pg_locks where locktype = 'virtualxid' and virtualtransaction = any($1) limit 1`, [transactions])
    if (under.length === 0) return
    if (performance.now() > until)
      throw new ApiError(503, 'unavailable', 'The change is made, but what was under way before it has not ended: repeat it', {
        retryAfterSeconds: 5,
      })
    await pause(pollMs)
  }
}
