import type { Db, DirectConnection, Queryable } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'

// The log is locked for a moment, and every change waits for it: the wait is short. It also ends before
// Postgres checks for deadlocks, so that maintenance is always the one to give way.
const lockTimeout = "set local lock_timeout = '500ms'"
/**
 * Every change waits while months are made: where there are too many entries to move, an operator does it in
 * a quiet hour.
 */
const holdTimeout = "set local statement_timeout = '2s'"

interface KeepContext {
  db: Db
  log: Log
  /** Connects without a time limit for statements. */
  openDirect(): Promise<DirectConnection>
  stopping: AbortSignal
}

/**
 * Creates the coming months of the audit log, and drops those that the operator's retention has passed. The
 * database decides which, by its own clock and the stored retention: a worker can only start it. A failed
 * step is logged and retried at the next run.
 */
export async function keepMonths(ctx: KeepContext): Promise<void> {
  const made = await logged(ctx, 'create months', () =>
    ctx.db.tx((tx) =>
      step(tx, async () => {
        await tx.query(holdTimeout)
        const [row] = await tx.query<{ made: number }>('select add_audit_months() as made')
        return row?.made ?? 0
      }),
    ),
  )
  if (made) ctx.log.info({ made }, 'created months of the audit log')
  await logged(ctx, 'drop a month', async () => {
    const [retention] = await ctx.db.query('select days from audit_retention')
    if (retention) await dropMonths(ctx)
  })
}

/**
 * A partition is read once before it is dropped, under a lock of its own. That may take minutes: longer than
 * a connection of the pool waits for an answer. A worker that stops breaks it off.
 */
async function dropMonths({ log, openDirect, stopping }: KeepContext): Promise<void> {
  const direct = await openDirect()
  const breakOff = () => void direct.close()
  stopping.addEventListener('abort', breakOff, { once: true })
  try {
    for (let dropped: string | null = ''; dropped !== null && !stopping.aborted; ) {
      dropped = await inTransaction(direct, () =>
        step(direct, async () => {
          await direct.query('set local statement_timeout = 0')
          const [row] = await direct.query<{ name: string | null }>('select drop_audit_month() as name')
          return row?.name ?? null
        }),
      )
      if (dropped !== null)
        log.info({ partition: dropped }, 'dropped a month of the audit log: its retention is over')
    }
  } finally {
    stopping.removeEventListener('abort', breakOff)
    await direct.close()
  }
}

/** Rolls back by closing: the connection serves only this. */
async function inTransaction<T>(direct: Queryable, work: () => Promise<T>): Promise<T> {
  await direct.query('begin')
  const result = await work()
  await direct.query('commit')
  return result
}

/** @returns the result of the work; null if another process is running a step */
async function step<T>(tx: Queryable, work: () => Promise<T>): Promise<T | null> {
  const [row] = await tx.query<{ mine: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('cowry audit maintenance')) as mine",
  )
  if (!row?.mine) return null
  await tx.query(lockTimeout)
  return work()
}

/** @returns null if the work failed */
async function logged<T>(
  { log, stopping }: KeepContext,
  what: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!stopping.aborted)
      log.warn(
        { err: messageOf(error), step: what },
        'a step of the maintenance of the audit log failed; it is retried',
      )
    return null
  }
}
