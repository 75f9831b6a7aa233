import type { Tx } from '../platform/database/db.ts'
import { ApiError, invalidBody } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { requireEventTypes, requireUrl, storedTypes, storedUrl } from './changeEndpoint.ts'
import { type EndpointTypesContext, insertEndpoint, lockEvents, requireRoomAtHost } from './endpoint.ts'
import { changedFilters, noFilters, requireFilters } from './filters.ts'
import { type EndpointView, readEndpoint } from './listEndpoints.ts'
import { newSecret } from './newSecret.ts'
import { changedHeaders, requireHeaders, requireHeadersFit } from './ownHeaders.ts'
import type { Signature } from './secret.ts'

const maxEndpoints = 50

export interface NewEndpoint {
  url: string
  description?: string
  /** Types and `topic.*`; null: all, present and future. */
  eventTypes?: string[] | null
  signature?: Signature
  /** The caller's own HMAC secret. */
  secret?: string
  /** Own headers of every request. */
  headers?: Record<string, string>
  /** Maximum attempts in any second; null: no limit. */
  maxPerSecond?: number | null
  /** Null: events of all of them. */
  chains?: string[] | null
  tokens?: string[] | null
  referencePrefix?: string | null
}

/**
 * An endpoint with its secret, which is never shown again; null for ed25519, whose public key is in the
 * endpoint.
 */
export interface EndpointWithSecret {
  endpoint: EndpointView
  secret: Secret | null
}

/**
 * Adds an endpoint to the business. The first one receives the events of the last 24 hours.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming `url`, `eventTypes.N`, `secret` or `headers.NAME`; 409 `too_many_endpoints`,
 * `cap_reached`
 */
export async function createEndpoint(
  ctx: EndpointTypesContext,
  businessId: string,
  request: NewEndpoint,
  also?: (tx: Tx, result: EndpointWithSecret) => Promise<void>,
): Promise<EndpointWithSecret> {
  const { description = '', signature = 'hmac', maxPerSecond = null } = request
  const eventTypes = storedTypes(request.eventTypes ?? null)
  const made = newSecret(signature, request.secret)
  const headers = changedHeaders({}, request.headers ?? {})
  const wrong = [
    ...requireUrl(ctx, request.url),
    ...requireEventTypes(ctx, eventTypes),
    ...requireHeaders(request.headers ?? {}),
    ...requireHeadersFit(headers),
    ...requireFilters(request),
  ]
  if ('wrong' in made) throw invalidBody(...wrong, ...made.wrong)
  if (wrong.length > 0) throw invalidBody(...wrong)
  const { secret } = made
  const url = storedUrl(request.url)
  return ctx.db.tx(async (tx) => {
    await lockEvents(tx, businessId)
    const [row] = await tx.query<{ n: number }>(
      'select count(*)::int as n from webhook_endpoints where business_id = $1 and removed_at is null and callback_host is null',
      [businessId],
    )
    if ((row?.n ?? 0) >= maxEndpoints)
      throw new ApiError(
        409,
        'too_many_endpoints',
        `A business has at most ${maxEndpoints} webhook endpoints`,
      )
    const id = newId()
    await insertEndpoint(ctx, tx, {
      id,
      businessId,
      url,
      description,
      eventTypes,
      signature,
      secret,
      headers,
      maxPerSecond,
      filters: changedFilters(noFilters, request),
    })
    await requireRoomAtHost(ctx, tx, businessId, url)
    const result = {
      endpoint: await readEndpoint(ctx, tx, businessId, id),
      secret: signature === 'hmac' ? secret : null,
    }
    await also?.(tx, result)
    return result
  })
}
