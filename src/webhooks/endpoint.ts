import { takesPlaceSql, takesReferenceSql } from '../events/endpointFilters.ts'
import type { EventType } from '../events/recordEvents.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { type Caps, capOf, capReached } from '../rateLimits/caps.ts'
import type { Filters } from './filters.ts'
import type { PausedReason } from './listEndpoints.ts'
import { notBefore } from './notBefore.ts'
import { type OwnHeaders, sealHeaders } from './ownHeaders.ts'
import { type Signature, sealWebhookSecret } from './secret.ts'

// Lock order: the endpoint before the business's sequence number. Recording an event holds the latter until
// its transaction ends, so that another holder of that lock sees all deliveries of an endpoint.

export interface EndpointContext {
  db: Db
  appKey: Secret
  /** A deployment for test networks also delivers over plain HTTP. */
  environment: 'test' | 'live'
  /** Internal hosts that may be used, as in `createEgress`. */
  allowHosts?: readonly string[]
  caps: Pick<Caps, 'endpointsPerHost'>
}

/** The same, to set what an endpoint takes. */
export interface EndpointTypesContext extends EndpointContext {
  /** Every event type that capabilities record. */
  eventTypes: readonly EventType[]
}

/** The host of an endpoint in one notation. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '')

/**
 * Call after writing the row, with the business's events locked, so that concurrent endpoints are counted.
 * @throws ApiError 409 `cap_reached`
 */
export async function requireRoomAtHost(
  ctx: Pick<EndpointContext, 'caps'>,
  tx: Tx,
  businessId: string,
  url: string,
): Promise<void> {
  const cap = await capOf(tx, ctx.caps, businessId, 'endpointsPerHost')
  const [row] = await tx.query<{ n: number }>(
    'select count(*)::int as n from webhook_endpoints where business_id = $1 and host = $2 and removed_at is null and callback_host is null',
    [businessId, hostOf(url)],
  )
  if ((row?.n ?? 0) > cap) throw capReached('endpointsPerHost', cap)
}

export interface LockedEndpoint {
  id: string
  status: 'active' | 'paused'
  pausedReason: PausedReason | null
  sealedSecret: Buffer
  sealedHeaders: Buffer | null
  maxPerSecond: number | null
  signature: Signature
}

/** Locks an endpoint of the business. @throws ApiError 404 */
export async function lockEndpoint(tx: Tx, businessId: string, id: string): Promise<LockedEndpoint> {
  const [row] = isUuid(id)
    ? await tx.query<LockedEndpoint>(
        `select id, status, paused_reason as "pausedReason", sealed_secret as "sealedSecret", sealed_headers as "sealedHeaders",
           max_per_second as "maxPerSecond", signature from webhook_endpoints
         where id = $1 and business_id = $2 and removed_at is null and callback_host is null for no key update`,
        [id, businessId],
      )
    : []
  if (!row) throw notFound('Webhook endpoint')
  return row
}

export const endpointPaused = () =>
  new ApiError(409, 'endpoint_paused', 'The endpoint is paused; resume it first')

/** Holds back the business's events until the transaction ends. */
export async function lockEvents(tx: Tx, businessId: string): Promise<void> {
  await tx.query(
    'insert into event_sequences (business_id, last) values ($1, 0) on conflict (business_id) do update set last = event_sequences.last',
    [businessId],
  )
}

/**
 * Notifies the relay that deliveries are due now, and cancels a receiver's `Retry-After`. The caller holds
 * the endpoint's lock.
 */
export async function signalEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.query(
    `update webhook_endpoints set not_before = case when callback_host is not null then not_before end, callback_not_before = null
     where id = $1 and ${notBefore} is not null`,
    [endpointId],
  )
  await tx.query("select pg_notify('cowry_deliveries', $1)", [endpointId])
}

/** Clears the endpoint's failures and makes its waiting deliveries due now. The caller holds its lock. */
export async function restartEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.query(
    'update webhook_endpoints set consecutive_failures = 0, failing_since = null, failing_spells = 0, failing_spell_at = null where id = $1',
    [endpointId],
  )
  await tx.query(
    'update webhook_type_health set consecutive_failures = 0, failing_since = null where endpoint_id = $1',
    [endpointId],
  )
  await tx.query(
    'update webhook_queue set next_attempt_at = now() where endpoint_id = $1 and next_attempt_at > now() and (claimed_until is null or claimed_until <= now())',
    [endpointId],
  )
  await signalEndpoint(tx, endpointId)
}

/**
 * Adds an endpoint. If it is the only one, it takes over the waiting events. The caller holds the events'
 * lock.
 */
export async function insertEndpoint(
  ctx: { appKey: Secret },
  tx: Tx,
  endpoint: {
    id: string
    businessId: string
    url: string
    description: string
    eventTypes: readonly string[] | null
    signature: Signature
    secret: Secret
    headers?: OwnHeaders
    maxPerSecond?: number | null
    filters: Filters
  },
): Promise<void> {
  const {
    id,
    businessId,
    url,
    description,
    eventTypes,
    signature,
    secret,
    headers = {},
    maxPerSecond = null,
    filters,
  } = endpoint
  await tx.query(
    `insert into webhook_endpoints (id, business_id, url, host, description, event_types, signature, sealed_secret, sealed_headers, max_per_second, chains, tokens, reference_prefix)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      id,
      businessId,
      url,
      hostOf(url),
      description,
      eventTypes,
      signature,
      sealWebhookSecret(ctx.appKey, id, secret),
      sealHeaders(ctx.appKey, id, headers),
      maxPerSecond,
      filters.chains,
      filters.tokens,
      filters.referencePrefix,
    ],
  )
  await takeOver(tx, businessId, id)
}

/**
 * Assigns the events of the last 24 hours that had no endpoint, unless the business has another endpoint that
 * events go to. The caller holds the events' lock.
 */
export async function takeOver(tx: Tx, businessId: string, id: string): Promise<void> {
  await tx.query(
    `with taken as (
       update webhook_deliveries d set endpoint_id = e.id from webhook_endpoints e
       where d.business_id = $1 and d.status = 'pending' and d.endpoint_id is null and d.created_at > now() - interval '24 hours'
         and e.id = $2 and (e.event_types is null or d.type = any(e.event_types) or d.topic || '.*' = any(e.event_types))
         and ${takesPlaceSql('d.')}
         and (e.reference_prefix is null or exists (
           select 1 from events v where v.id = d.event_id and v.created_at = d.created_at
             and ${takesReferenceSql('v.data')}))
         and not exists (select 1 from webhook_endpoints o where o.business_id = $1 and o.id <> $2 and o.removed_at is null and o.callback_host is null and o.paused_reason is distinct from 'gone')
       returning d.id, d.created_at),
     queued as (
       insert into webhook_queue (delivery_id, created_at, endpoint_id, next_attempt_at) select id, created_at, $2, now() from taken returning endpoint_id)
     select pg_notify('cowry_deliveries', $2::text) where exists (select 1 from queued)`,
    [businessId, id],
  )
}

/** Rows changed by one transaction: others wait for its locks. */
const failedAtOnce = 5000

/**
 * Fails up to `failedAtOnce` of the endpoint's waiting deliveries; maintenance fails the rest. Unless it was
 * removed, they are counted for `reportHealth`.
 * @returns true if there may be more
 */
export async function failWaiting(tx: Tx, endpointId: string): Promise<boolean> {
  const rows = await tx.query(
    `with gone as (
       delete from webhook_queue where delivery_id = any(array(select delivery_id from webhook_queue where endpoint_id = $1 limit $2)) returning delivery_id, created_at),
     failed as (
       update webhook_deliveries d set status = 'failed' from gone where d.id = gone.delivery_id and d.created_at = gone.created_at and d.status = 'pending'
       returning d.id, d.type, d.topic),
     counted as (
       insert into webhook_type_health as h (endpoint_id, business_id, type, consecutive_failures, last_failed_at, last_error, given_up, unreported, last_given_up)
       select e.id, e.business_id, f.type, 0, now(), e.last_error, count(*), count(*) filter (where f.topic not in ('endpoint', 'delivery')), max(f.id::text)::uuid
       from failed f join webhook_endpoints e on e.id = $1 and e.removed_at is null group by 1, 2, 3, 6
       on conflict (endpoint_id, type) do update set last_failed_at = excluded.last_failed_at, last_error = excluded.last_error,
         given_up = h.given_up + excluded.given_up, unreported = h.unreported + excluded.unreported, last_given_up = excluded.last_given_up)
     select 1 from gone`,
    [endpointId, failedAtOnce],
  )
  return rows.length === failedAtOnce
}
