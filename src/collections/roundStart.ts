import type { Queryable } from '../platform/database/db.ts'

/** For how long a collection that has failed or expired can still change. */
const lateDays = 7

/** Where a round has to start; null: no collection at the partner can change any more. */
export async function roundStart(
  db: Queryable,
  partner: string,
  syncedUntil: Date | null,
): Promise<Date | null> {
  const [row] = await db.query<{ oldest: Date | null }>(
    `select min(submitted_at) as oldest from fiat_collections
     where partner = $1 and submitted_at is not null and (status in ('pending', 'processing') or (status in ('failed', 'expired') and ended_at > now() - $2 * interval '1 day'))`,
    [partner, lateDays],
  )
  if (!row?.oldest) return null
  return syncedUntil !== null && syncedUntil > row.oldest ? syncedUntil : row.oldest
}
