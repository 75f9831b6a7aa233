import type { Queryable } from '../platform/db.ts'

/**
 * SQL: whether the database is another than the one that was last acknowledged: in another cluster, on another timeline of it (after a recovery
 * to a point in time, or the promotion of a standby), or read in from a dump. What has left since the restored state is in none of its rows.
 * Where nothing was acknowledged, nobody knows, which is the same. It takes a look at shared memory and one small file, and is asked each
 * time: a promotion can come between any two statements.
 */
export const restoredSql = '(not exists (select 1 from database_identity where identity = present_identity()))'

/** Whether nothing may be signed or sent, because what has left since the restored state is not known here. */
export async function isRestored(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ restored: boolean }>(`select ${restoredSql} as restored`)
  return row?.restored ?? true
}

/**
 * The operator has settled what was open: from here on everything is signed and sent again.
 * @returns what it was before, null where that was not known, and what it is now; null where there was nothing to acknowledge
 */
export async function acknowledgeRestore(tx: Queryable): Promise<{ before: string | null; after: string } | null> {
  const [known] = await tx.query<{ before: string | null; after: string }>(
    'select (select identity from database_identity for update) as before, present_identity() as after',
  )
  if (!known || known.before === known.after) return null
  await tx.query(
    'insert into database_identity (identity) values ($1) on conflict (one) do update set identity = excluded.identity, acknowledged_at = now()',
    [known.after],
  )
  return known
}

/** What no look at the database can tell: a copy of the volume, a snapshot, a clone. From here on it counts as restored, for addresses too. */
export async function declareRestored(tx: Queryable): Promise<void> {
  await tx.query('delete from database_identity')
  await tx.query("update deposit_pool set identity = 'declared restored'")
}
