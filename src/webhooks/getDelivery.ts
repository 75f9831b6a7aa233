import { type EventRecord, readEvent } from '../events/listEvents.ts'
import type { Db } from '../platform/db.ts'
import { type DeliveryView, findDelivery, presentDelivery } from './listDeliveries.ts'

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
   * Earliest time of the next attempt; null if there is no further attempt, the endpoint is paused, or an attempt is
   * under way.
   */
  nextAttemptAt: string | null
  event: EventRecord
  attempts: AttemptView[]
}

interface AttemptRow {
  number: number
  started_at: Date
  duration_ms: number | null
  response_status: number | null
  response_body: string | null
  error: string | null
}

/** A delivery with its event and its attempts, oldest first. @throws ApiError 404 */
export function getDelivery(ctx: { db: Db }, businessId: string, id: string): Promise<DeliveryDetails> {
  return ctx.db.snapshot(async (tx) => {
    const row = await findDelivery(tx, businessId, id)
    const attempts = await tx.query<AttemptRow>(
      `select number, started_at, duration_ms, response_status, response_body, error from webhook_attempts
       where delivery_id = $1 and created_at = $2 order by number`,
      [row.id, row.created_at],
    )
    const [next] = await tx.query<{ at: Date }>(
      `select greatest(q.next_attempt_at, e.not_before) as at from webhook_queue q join webhook_endpoints e on e.id = q.endpoint_id
       where q.delivery_id = $1 and e.status = 'active' and (q.claimed_until is null or q.claimed_until <= now())`,
      [row.id],
    )
    return {
      ...presentDelivery(row),
      nextAttemptAt: next?.at.toISOString() ?? null,
      event: await readEvent(tx, row.event_id, row.created_at),
      attempts: attempts.map(presentAttempt),
    }
  })
}

const presentAttempt = (row: AttemptRow): AttemptView => ({
  number: row.number,
  startedAt: row.started_at.toISOString(),
  durationMs: row.duration_ms,
  responseStatus: row.response_status,
  responseBody: row.response_body,
  error: row.error,
})
