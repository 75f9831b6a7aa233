import type { Db, Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { openHeaders } from './ownHeaders.ts'
import { openWebhookSecret, publicKeyOf, type Signature } from './secret.ts'

/** Why an endpoint is paused: by its owner, after days without a success, or by a 410. */
export const pausedReasons = ['owner', 'failing', 'gone'] as const
export type PausedReason = (typeof pausedReasons)[number]

export interface EndpointView {
  id: string
  url: string
  description: string
  /** Types and `topic.*`; null: all. */
  eventTypes: string[] | null
  chains: string[] | null
  tokens: string[] | null
  referencePrefix: string | null
  signature: Signature
  publicKey: string | null
  previousPublicKey: string | null
  previousSecretUntil: string | null
  /** Names of its own headers; their values are never shown. */
  headerNames: string[]
  maxPerSecond: number | null
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
    failingTypes: FailingType[]
  }
  createdAt: string
}

/** An event type whose latest attempts failed. */
interface FailingType {
  type: string
  /** Null: its deliveries were given up without an attempt. */
  failingSince: string | null
  consecutiveFailures: number
  lastFailedAt: string
  lastError: string | null
  /** Deliveries given up since the type's last success. */
  givenUp: number
}

interface EndpointRow {
  id: string
  url: string
  description: string
  eventTypes: string[] | null
  chains: string[] | null
  tokens: string[] | null
  referencePrefix: string | null
  signature: Signature
  sealedSecret: Buffer
  previousSealedSecret: Buffer | null
  previousUntil: Date | null
  sealedHeaders: Buffer | null
  maxPerSecond: number | null
  status: 'active' | 'paused'
  pausedReason: PausedReason | null
  pausedAt: Date | null
  failingSince: Date | null
  consecutiveFailures: number
  lastDeliveredAt: Date | null
  lastFailedAt: Date | null
  lastError: string | null
  waiting: string
  /** With times as Postgres writes them into JSON. */
  failingTypes: FailingType[]
  createdAt: Date
}

/** Webhook endpoints of the business, oldest first: at most 50. */
export const listEndpoints = (ctx: { db: Db; appKey: Secret }, businessId: string): Promise<EndpointView[]> =>
  read(ctx, ctx.db, businessId, null)

/** @throws ApiError 404 */
export const getEndpoint = (
  ctx: { db: Db; appKey: Secret },
  businessId: string,
  id: string,
): Promise<EndpointView> => readEndpoint(ctx, ctx.db, businessId, id)

/** The same within a transaction. @throws ApiError 404 */
export async function readEndpoint(
  ctx: { appKey: Secret },
  db: Queryable,
  businessId: string,
  id: string,
): Promise<EndpointView> {
  const [view] = isUuid(id) ? await read(ctx, db, businessId, id) : []
  if (!view) throw notFound('Webhook endpoint')
  return view
}

async function read(
  ctx: { appKey: Secret },
  db: Queryable,
  businessId: string,
  id: string | null,
): Promise<EndpointView[]> {
  const rows = await db.query<EndpointRow>(
    `select e.id, e.url, e.description, e.event_types as "eventTypes", e.chains, e.tokens, e.reference_prefix as "referencePrefix", e.signature, e.sealed_secret as "sealedSecret",
       e.previous_sealed_secret as "previousSealedSecret", e.previous_until as "previousUntil", e.sealed_headers as "sealedHeaders",
       e.max_per_second as "maxPerSecond", e.status, e.paused_reason as "pausedReason",
       e.paused_at as "pausedAt", e.failing_since as "failingSince", e.consecutive_failures as "consecutiveFailures",
       e.last_delivered_at as "lastDeliveredAt", e.last_failed_at as "lastFailedAt", e.last_error as "lastError", e.created_at as "createdAt",
       coalesce(w.n, 0)::text as waiting,
       array(
         select jsonb_build_object('type', type, 'failingSince', failing_since, 'consecutiveFailures', consecutive_failures, 'lastFailedAt', last_failed_at,
           'lastError', last_error, 'givenUp', given_up)
         from webhook_type_health h where h.endpoint_id = e.id and h.business_id = $1 and (consecutive_failures > 0 or given_up > 0) order by type) as "failingTypes"
     from webhook_endpoints e left join (
       select endpoint_id, sum(n) as n from webhook_delivery_counts where business_id = $1 and status = 'pending' group by endpoint_id) w on w.endpoint_id = e.id
     where e.business_id = $1 and e.removed_at is null and e.callback_host is null and ($2::uuid is null or e.id = $2) order by e.id`,
    [businessId, id],
  )
  return rows.map((row) => present(ctx, row))
}

function present(ctx: { appKey: Secret }, row: EndpointRow): EndpointView {
  const publicKey = (sealed: Buffer) => publicKeyOf(openWebhookSecret(ctx.appKey, row.id, sealed))
  const overlaps = row.previousUntil !== null && row.previousUntil > new Date()
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.eventTypes,
    chains: row.chains,
    tokens: row.tokens,
    referencePrefix: row.referencePrefix,
    signature: row.signature,
    publicKey: publicKey(row.sealedSecret),
    previousPublicKey: overlaps && row.previousSealedSecret ? publicKey(row.previousSealedSecret) : null,
    previousSecretUntil: overlaps ? iso(row.previousUntil) : null,
    headerNames: Object.keys(openHeaders(ctx.appKey, row.id, row.sealedHeaders)),
    maxPerSecond: row.maxPerSecond,
    status: row.status,
    pausedReason: row.pausedReason,
    pausedAt: iso(row.pausedAt),
    health: {
      failingSince: iso(row.failingSince),
      consecutiveFailures: row.consecutiveFailures,
      lastDeliveredAt: iso(row.lastDeliveredAt),
      lastFailedAt: iso(row.lastFailedAt),
      lastError: row.lastError,
      waiting: Number(row.waiting),
      failingTypes: row.failingTypes.map(presentFailingType),
    },
    createdAt: row.createdAt.toISOString(),
  }
}

const presentFailingType = (row: FailingType): FailingType => ({
  ...row,
  failingSince: row.failingSince && new Date(row.failingSince).toISOString(),
  lastFailedAt: new Date(row.lastFailedAt).toISOString(),
})

const iso = (at: Date | null): string | null => at?.toISOString() ?? null
