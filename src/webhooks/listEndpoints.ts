import type { Db, Queryable } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { openWebhookSecret, publicKeyOf, type Signature } from './secret.ts'

/** Why an endpoint is paused: by its owner, after days without a success, or by a 410. */
export type PausedReason = 'owner' | 'failing' | 'gone'

export interface EndpointView {
  id: string
  url: string
  description: string
  /** Types and `topic.*`; null: all. */
  eventTypes: string[] | null
  signature: Signature
  publicKey: string | null
  previousPublicKey: string | null
  previousSecretUntil: string | null
  status: 'active' | 'paused'
  pausedReason: PausedReason | null
  pausedAt: string | null
  health: {
    failingSince: string | null
    consecutiveFailures: number
    lastDeliveredAt: string | null
    lastFailedAt: string | null
    lastError: string | null
    /** Deliveries still to be made. */
    waiting: number
  }
  createdAt: string
}

interface EndpointRow {
  id: string
  url: string
  description: string
  event_types: string[] | null
  signature: Signature
  sealed_secret: Buffer
  previous_sealed_secret: Buffer | null
  previous_until: Date | null
  status: 'active' | 'paused'
  paused_reason: PausedReason | null
  paused_at: Date | null
  failing_since: Date | null
  consecutive_failures: number
  last_delivered_at: Date | null
  last_failed_at: Date | null
  last_error: string | null
  waiting: string
  created_at: Date
}

/** Webhook endpoints of the business, oldest first: at most 50. */
export const listEndpoints = (ctx: { db: Db; appKey: Secret }, businessId: string): Promise<EndpointView[]> => read(ctx, ctx.db, businessId, null)

/** @throws ApiError 404 */
export const getEndpoint = (ctx: { db: Db; appKey: Secret }, businessId: string, id: string): Promise<EndpointView> =>
  readEndpoint(ctx, ctx.db, businessId, id)

/** The same within a transaction. @throws ApiError 404 */
export async function readEndpoint(ctx: { appKey: Secret }, db: Queryable, businessId: string, id: string): Promise<EndpointView> {
  const [view] = isUuid(id) ? await read(ctx, db, businessId, id) : []
  if (!view) throw notFound('Webhook endpoint')
  return view
}

async function read(ctx: { appKey: Secret }, db: Queryable, businessId: string, id: string | null): Promise<EndpointView[]> {
  const rows = await db.query<EndpointRow>(
    `select e.*, coalesce(w.n, 0)::text as waiting
     from webhook_endpoints e left join (
       select endpoint_id, sum(n) as n from webhook_delivery_counts where business_id = $1 and status = 'pending' group by endpoint_id) w on w.endpoint_id = e.id
     where e.business_id = $1 and e.removed_at is null and ($2::uuid is null or e.id = $2) order by e.id`,
    [businessId, id],
  )
  return rows.map((row) => present(ctx, row))
}

function present(ctx: { appKey: Secret }, row: EndpointRow): EndpointView {
  const publicKey = (sealed: Buffer) => (row.signature === 'hmac' ? null : publicKeyOf(openWebhookSecret(ctx.appKey, row.id, sealed)))
  const overlaps = row.previous_until !== null && row.previous_until > new Date()
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    signature: row.signature,
    publicKey: publicKey(row.sealed_secret),
    previousPublicKey: overlaps && row.previous_sealed_secret ? publicKey(row.previous_sealed_secret) : null,
    previousSecretUntil: overlaps ? iso(row.previous_until) : null,
    status: row.status,
    pausedReason: row.paused_reason,
    pausedAt: iso(row.paused_at),
    health: {
      failingSince: iso(row.failing_since),
      consecutiveFailures: row.consecutive_failures,
      lastDeliveredAt: iso(row.last_delivered_at),
      lastFailedAt: iso(row.last_failed_at),
      lastError: row.last_error,
      waiting: Number(row.waiting),
    },
    createdAt: row.created_at.toISOString(),
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null
