import type { Db, Tx } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'

// The log is locked for a moment, and every change waits for it: the wait is short. It also ends before Postgres checks for deadlocks, so that
// maintenance is always the one to give way.
const lockTimeout = "set local lock_timeout = '500ms'"

/**
 * Creates the coming months of the audit log, and drops those that the operator's retention has passed. The database decides which, by its own
 * clock and the stored retention: a worker can only start it. A failed step is logged and retried at the next run.
 */
export async function keepMonths(ctx: { db: Db; log: Log }): Promise<void> {
  const made = await step(ctx, 'create months', async (tx) => {
    const [row] = await tx.query<{ made: number }>('select add_audit_months() as made')
    return row?.made ?? 0
  })
  if (made) ctx.log.info({ made }, 'created months of the audit log')
  for (let dropped: string | null = ''; dropped !== null; ) {
    dropped = await step(ctx, 'drop a month', async (tx) => {
      // Reads the partition once, under a lock of its own.
      await tx.query('set local statement_timeout = 0')
      const [row] = await tx.query<{ name: string | null }>('select drop_audit_month() as name')
      return row?.name ?? null
    })
    if (dropped !== null) ctx.log.info({ partition: dropped }, 'dropped a month of the audit log: its retention is over')
  }
}

/** @returns the result of the work; null if it failed, or if another process is running a step */
async function step<T>({ db, log }: { db: Db; log: Log }, what: string, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  try {
    return await db.tx(async (tx) => {
      const [row] = await tx.query<{ mine: boolean }>("select pg_try_advisory_xact_lock(hashtext('cowry audit maintenance')) as mine")
      if (!row?.mine) return null
      await tx.query(lockTimeout)
      return work(tx)
    })
  } catch (error) {
    log.warn({ err: messageOf(error), step: what }, 'a step of the maintenance of the audit log failed; it is retried')
    return null
  }
}
