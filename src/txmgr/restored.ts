import { isPoolRenewed } from '../custody/depositPool.ts'
import type { Queryable } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'

/**
 * SQL: the database is not the one that was last acknowledged. It is in another cluster, on another timeline
 * (after point-in-time recovery or the promotion of a standby), or loaded from a dump, so that rows may miss
 * what was sent since. Without an acknowledgement it counts as restored. Reads shared memory and one small
 * file; check it each time, because a promotion can come between any two statements.
 */
export const restoredSql =
  '(not exists (select 1 from database_identity where identity = present_identity()))'

/** Checks if nothing may be signed or sent, because rows may miss what was sent since the restored state. */
export async function isRestored(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ restored: boolean }>(`select ${restoredSql} as restored`)
  return row?.restored ?? true
}

/**
 * Acknowledges the present database, by an operator who has settled what was open: signing and sending
 * resume.
 * @returns its identity before (null: unknown) and now; null if there was nothing to acknowledge
 * @throws ApiError 409 `pool_not_renewed`: the free addresses may have been given out since the restored
 * state
 */
export async function acknowledgeRestore(
  tx: Queryable,
): Promise<{ before: string | null; after: string } | null> {
  const [known] = await tx.query<{ before: string | null; after: string }>(
    'select (select identity from database_identity for update) as before, present_identity() as after',
  )
  if (!known || known.before === known.after) return null
  if (!(await isPoolRenewed(tx))) {
    throw new ApiError(
      409,
      'pool_not_renewed',
      'the deposit addresses of the restored database are not renewed yet: start the treasury, then run this again',
    )
  }
  await tx.query(
    'insert into database_identity (identity) values ($1) on conflict (one) do update set identity = excluded.identity, acknowledged_at = now()',
    [known.after],
  )
  return known
}

/**
 * Declares a copy that the database cannot detect itself: of the volume, a snapshot, a clone. It counts as
 * restored, for addresses too.
 */
export async function declareRestored(tx: Queryable): Promise<void> {
  await tx.query('delete from database_identity')
  await tx.query("update deposit_pool set identity = 'declared restored'")
  // Free ones may have been taken since the copy: their accounts exist, and a burn with one of them fails.
  await tx.query("update bridge_event_accounts set identity = 'declared restored' where taken_at is null")
}
