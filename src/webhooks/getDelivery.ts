import { type EventRecord, readEvent } from '../events/listEvents.ts'
import type { Db } from '../platform/database/db.ts'
import { type DeliveryView, findDelivery, presentDelivery } from './listDeliveries.ts'
import { notBefore } from './notBefore.ts'

export interface AttemptView {
  number: number
  startedAt: string
  durationMs: number | null
  responseStatus: number | null
  /** Its first 4 kB. */
  responseBody: string | null
  error: string | null
}

export interface DeliveryDetails extends DeliveryView {
  /**
   * Earliest time of the next attempt; null if there is no further attempt, the endpoint is paused, or an
   * attempt is under way.
   */
  nextAttemptAt: string | null
  event: EventRecord
  attempts: AttemptView[]
}

interface AttemptRow {
  number: number
  startedAt: Date
  durationMs: number | null
  responseStatus: number | null
  responseBody: string | null
  error: string | null
}

/** A delivery with its event and its attempts, oldest first. @throws ApiError 404 */
export function getDelivery(ctx: { db: Db }, businessId: string, id: string): Promise<DeliveryDetails> {
  return ctx.db.snapshot(async (tx) => {
    const row = await findDelivery(tx, businessId, id)
    const attempts = await tx.query<AttemptRow>(
      `select number, started_at as "startedAt", duration_ms as "durationMs", response_status as "responseStatus", response_body as "responseBody",
         error from webhook_attempts
       where delivery_id = $1 and created_at = $2 order by number`,
      [row.id, row.createdAt],
    )
    const [next] = await tx.query<{ at: Date }>(
      `select greatest(q.next_attempt_at, ${notBefore}) as at from webhook_queue q join webhook_endpoints e on e.id = q.endpoint_id
       where q.delivery_id = $1 and e.status = 'active' and (q.claimed_until is null or q.claimed_until <= now())`,
      [row.id],
    )
    return {
      ...presentDelivery(row),
      nextAttemptAt: next?.at.toISOString() ?? null,
      event: await readEvent(tx, row.eventId, row.createdAt),
      attempts: attempts.map(presentAttempt),
    }
  })
}

const presentAttempt = (row: AttemptRow): AttemptView => ({
  number: row.number,
  startedAt: row.startedAt.toISOString(),
  durationMs: row.durationMs,
  responseStatus: row.responseStatus,
  responseBody: row.responseBody,
  error: row.error,
})
