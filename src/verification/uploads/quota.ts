import type { Queryable, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'

/**
 * Refuses an upload of a business whose unused uploads fill its quota: anyone who reads its web page has its
 * publishable key.
 * @param more bytes of the upload itself
 * @throws ApiError 429
 */
export async function requireQuota(
  db: Queryable,
  businessId: string,
  quotaBytes: number,
  more: number,
): Promise<void> {
  const [unused] = await db.query<{ bytes: string }>(
    'select coalesce(sum(bytes), 0)::text as bytes from verification_uploads where business_id = $1 and verification_id is null',
    [businessId],
  )
  if (Number(unused?.bytes) + more <= quotaBytes) return
  throw new ApiError(
    429,
    'Too many requests, please try again later.',
    'The unused uploads of this business fill its quota: name them in verifications, or wait until they are dropped, a day after they came',
    { retryAfterSeconds: 3600 },
  )
}

/** Stores one upload of a business at a time, until the transaction ends. */
export const lockQuota = (tx: Tx, businessId: string) =>
  tx.query("select pg_advisory_xact_lock(hashtextextended('cowry uploads ' || $1, 0))", [businessId])
