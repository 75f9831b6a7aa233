import type { Queryable } from '../platform/database/db.ts'

/** Tables that store how far a list of a partner was read. */
export type SyncTable = 'collection_syncs' | 'payout_syncs'

const everyMs = 5 * 60_000
/** After a round that has failed: twice as long each time. */
const retryMs = 30_000

/**
 * Claims the round of a partner that is due; the next one is due five minutes later, a little spread. A time
 * from the future, which a partner may have named, is forgotten: the list is read again from the start.
 * @returns null if no round is due, or another worker has it
 */
export async function claimRound(
  db: Queryable,
  table: SyncTable,
  partner: string,
): Promise<{ syncedUntil: Date | null } | null> {
  await db.query(`insert into ${table} (partner, next_at) values ($1, now()) on conflict do nothing`, [
    partner,
  ])
  const [claimed] = await db.query<{ syncedUntil: Date | null }>(
    `update ${table} set next_at = now() + $2 * interval '1 ms', synced_until = case when synced_until < now() + interval '1 hour' then synced_until end
     where partner = $1 and next_at <= now() returning synced_until as "syncedUntil"`,
    [partner, everyMs + Math.random() * 10_000],
  )
  return claimed ?? null
}

/** Stores how far the list was read: never back, and never ahead of now, where nothing was read. */
export async function storeSynced(
  db: Queryable,
  table: SyncTable,
  partner: string,
  until: Date,
): Promise<void> {
  await db.query(
    `update ${table} set synced_until = least(greatest(synced_until, $2::timestamptz), now()), failures = 0 where partner = $1`,
    [partner, until],
  )
}

/**
 * Stores that a round is complete. @param until how far it read the list; null: there was nothing to read
 */
export async function storeRound(
  db: Queryable,
  table: SyncTable,
  partner: string,
  until: Date | null,
): Promise<void> {
  await db.query(
    `update ${table} set synced_until = least(greatest(synced_until, $2::timestamptz), now()), failures = 0, completed_at = now() where partner = $1`,
    [partner, until],
  )
}

export async function storeFailedRound(db: Queryable, table: SyncTable, partner: string): Promise<void> {
  await db.query(
    `update ${table} set failures = failures + 1, next_at = now() + least($2 * 2 ^ least(failures, 10), $3) * interval '1 ms' where partner = $1`,
    [partner, retryMs, everyMs],
  )
}
