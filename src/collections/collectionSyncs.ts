import type { Queryable } from '../platform/db.ts'

const everyMs = 5 * 60_000
/** After a round that has failed: twice as long each time. */
const retryMs = 30_000
/** For how long a collection that has failed or expired can still change. */
const lateDays = 7

/**
 * Claims the round of a partner that is due; the next one is due five minutes later, a little spread.
 * @returns null if none is due, or another worker has it
 */
export async function claimRound(db: Queryable, partner: string): Promise<{ syncedUntil: Date | null } | null> {
  await db.query('insert into collection_syncs (partner, next_at) values ($1, now()) on conflict do nothing', [partner])
  const [claimed] = await db.query<{ syncedUntil: Date | null }>(
    `update collection_syncs set next_at = now() + $2 * interval '1 ms' where partner = $1 and next_at <= now() returning synced_until as "syncedUntil"`,
    [partner, everyMs + Math.random() * 10_000],
  )
  return claimed ?? null
}

/** Where a round has to begin; null: the partner has nothing of ours that can change. */
export async function beginOfRound(db: Queryable, partner: string, syncedUntil: Date | null): Promise<Date | null> {
  const [row] = await db.query<{ oldest: Date | null }>(
    `select min(submitted_at) as oldest from fiat_collections
     where partner = $1 and submitted_at is not null and (status in ('pending', 'processing') or (status in ('failed', 'expired') and ended_at > now() - $2 * interval '1 day'))`,
    [partner, lateDays],
  )
  if (!row?.oldest) return null
  return syncedUntil !== null && syncedUntil > row.oldest ? syncedUntil : row.oldest
}

/** Stores how far the list was read; never back. */
export async function storeSynced(db: Queryable, partner: string, until: Date): Promise<void> {
  await db.query('update collection_syncs set synced_until = greatest(synced_until, $2), failures = 0 where partner = $1', [partner, until])
}

export async function storeFailedRound(db: Queryable, partner: string): Promise<void> {
  await db.query(
    `update collection_syncs set failures = failures + 1, next_at = now() + least($2 * 2 ^ least(failures, 10), $3) * interval '1 ms' where partner = $1`,
    [partner, retryMs, everyMs],
  )
}
