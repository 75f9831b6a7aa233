import type { Dispatcher } from 'undici'
import type { Db } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'
import { type AttemptResult, attemptDelivery } from './attempt.ts'
import { nextWait } from './schedule.ts'
import { openWebhookSecret } from './secret.ts'

export interface DeliveryContext {
  db: Db
  appKey: Secret
  dispatcher: Dispatcher
  timeoutMs: number
  /** Attempts to one endpoint at a time, at most. */
  inFlight: number
  delivered(outcome: AttemptResult['outcome'], seconds: number): void
}

interface Claimed {
  id: string
  created_at: Date
  attempts_count: number
  event_id: string
  type: string
  sequence: string
  data: object
}

/** Version of the body's form; it grows only by fields. */
const bodyVersion = 1

/**
 * Attempts what is due for one endpoint, up to its cap at a time, until nothing is due or `signal` is aborted.
 * The attempt is counted before it is made and the claim runs out after the deadline: a crash in between means
 * one more attempt, never one fewer.
 */
export async function deliverDue(ctx: DeliveryContext, endpointId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const [endpoint] = await ctx.db.query<{ url: string; sealed_secret: Buffer }>(
      "select url, sealed_secret from webhook_endpoints where id = $1 and status = 'active'",
      [endpointId],
    )
    if (!endpoint) return
    const claimed = await claim(ctx, endpointId)
    if (claimed.length === 0) return
    failpoint('webhook-delivery.claimed')
    const secret = openWebhookSecret(ctx.appKey, endpointId, endpoint.sealed_secret)
    const results = await Promise.all(
      claimed.map(async (delivery) => {
        const result = await attemptDelivery(ctx, { url: endpoint.url, secret, id: delivery.event_id, body: bodyOf(delivery) })
        ctx.delivered(result.outcome, result.durationMs / 1000)
        return { delivery, result }
      }),
    )
    failpoint('webhook-delivery.sent')
    await record(ctx, endpointId, results)
    failpoint('webhook-delivery.recorded')
  }
}

/** What a receiver gets: Standard Webhooks' three fields, and which event of the business this is. */
function bodyOf(delivery: Claimed): string {
  return JSON.stringify({
    type: delivery.type,
    timestamp: delivery.created_at.toISOString(),
    version: bodyVersion,
    sequence: Number(delivery.sequence),
    data: delivery.data,
  })
}

function claim(ctx: DeliveryContext, endpointId: string): Promise<Claimed[]> {
  return ctx.db.query<Claimed>(
    `with due as (
       select id, created_at from webhook_deliveries
       where endpoint_id = $1 and status = 'pending' and next_attempt_at <= now()
       order by next_attempt_at limit $2 for update skip locked),
     claimed as (
       update webhook_deliveries d set attempts_count = attempts_count + 1, next_attempt_at = now() + $3 * interval '1 millisecond'
       from due where d.id = due.id and d.created_at = due.created_at
       returning d.id, d.created_at, d.attempts_count, d.event_id, d.type),
     attempts as (
       insert into webhook_attempts (delivery_id, created_at, number) select id, created_at, attempts_count from claimed)
     select c.*, e.sequence, e.data from claimed c join events e on e.id = c.event_id and e.created_at = c.created_at
     order by e.sequence`,
    [endpointId, ctx.inFlight, ctx.timeoutMs * 2],
  )
}

async function record(ctx: DeliveryContext, endpointId: string, results: readonly { delivery: Claimed; result: AttemptResult }[]): Promise<void> {
  const rows = results.map(({ delivery, result }) => {
    const wait = result.outcome === 'failed' ? nextWait(delivery.attempts_count, result.retryAfterMs, Math.random()) : null
    const status = result.outcome === 'delivered' ? 'delivered' : wait === null ? 'failed' : 'pending'
    return { delivery, result, status, wait: wait ?? 0 }
  })
  await ctx.db.tx(async (tx) => {
    await tx.query(
      `update webhook_deliveries d set status = r.status,
         delivered_at = case r.status when 'delivered' then now() end,
         next_attempt_at = case r.status when 'pending' then now() + r.wait * interval '1 millisecond' else d.next_attempt_at end
       from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::float8[]) as r(id, created_at, status, wait)
       where d.id = r.id and d.created_at = r.created_at and d.status = 'pending'`,
      [rows.map((r) => r.delivery.id), rows.map((r) => r.delivery.created_at), rows.map((r) => r.status), rows.map((r) => r.wait)],
    )
    await tx.query(
      `update webhook_attempts a set duration_ms = r.ms, response_status = r.status, response_body = r.body, error = r.error
       from unnest($1::uuid[], $2::timestamptz[], $3::integer[], $4::integer[], $5::integer[], $6::text[], $7::text[])
         as r(id, created_at, number, ms, status, body, error)
       where a.delivery_id = r.id and a.created_at = r.created_at and a.number = r.number`,
      [
        rows.map((r) => r.delivery.id),
        rows.map((r) => r.delivery.created_at),
        rows.map((r) => r.delivery.attempts_count),
        rows.map((r) => r.result.durationMs),
        rows.map((r) => r.result.responseStatus),
        rows.map((r) => r.result.responseBody),
        rows.map((r) => r.result.error),
      ],
    )
    if (rows.some((r) => r.result.outcome === 'gone')) {
      await tx.query("update webhook_endpoints set status = 'gone' where id = $1", [endpointId])
      await tx.query("update webhook_deliveries set status = 'failed' where endpoint_id = $1 and status = 'pending'", [endpointId])
    }
  })
}
