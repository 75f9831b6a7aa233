import type { Queryable } from '../platform/database/db.ts'
import type { PartnerPayment } from './partner.ts'
import { notAhead, ownClockAfterMs } from './partnerTime.ts'

/**
 * Keeps the newest state of a payment, as `isNewerAnswer` orders answers. They may overtake each other, and
 * the partner may answer from an older copy: a state never goes back, and a wrong time of the partner hides a
 * later state for ten minutes at most.
 * @param askedAt when the request for this state started
 * @returns false for a state that is older than the one that is known
 */
export async function recordState(
  ctx: { db: Queryable },
  partner: string,
  { id, sequenceId, status, updatedAt }: PartnerPayment,
  askedAt: Date,
): Promise<boolean> {
  const kept = await ctx.db.query(
    `insert into partner_payment_states as known (partner, partner_payment_id, sequence_id, status, updated_at, fetched_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (partner, partner_payment_id) do update
       set sequence_id = excluded.sequence_id, status = excluded.status, updated_at = excluded.updated_at, fetched_at = excluded.fetched_at
       where case when abs(extract(epoch from excluded.fetched_at - known.fetched_at) * 1000) > $7 then excluded.fetched_at > known.fetched_at
         else (known.updated_at, known.fetched_at) < (excluded.updated_at, excluded.fetched_at) end
     returning partner`,
    [partner, id, sequenceId, status, notAhead({ updatedAt, askedAt }), askedAt, ownClockAfterMs],
  )
  return kept.length > 0
}
