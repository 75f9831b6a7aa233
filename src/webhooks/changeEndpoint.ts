import { requireTypes } from '../events/requireTypes.ts'
import { isPublicAddress } from '../platform/addresses.ts'
import type { Tx } from '../platform/database/db.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import { isAllowed, parseAllowed } from './egress.ts'
import {
  type EndpointContext,
  type EndpointTypesContext,
  hostOf,
  lockEndpoint,
  lockEvents,
  requireRoomAtHost,
  restartEndpoint,
} from './endpoint.ts'
import { changedFilters, requireFilters } from './filters.ts'
import { type EndpointView, readEndpoint } from './listEndpoints.ts'
import { changedHeaders, openHeaders, requireHeaders, requireHeadersFit, sealHeaders } from './ownHeaders.ts'

export interface EndpointChange {
  url?: string
  description?: string
  /** Types and `topic.*`; null: all. */
  eventTypes?: string[] | null
  /** Own headers to set; null removes one. Others stay. */
  headers?: Record<string, string | null>
  /** Null: no limit. */
  maxPerSecond?: number | null
  /** Null: events of all of them. A change counts for later events. */
  chains?: string[] | null
  tokens?: string[] | null
  referencePrefix?: string | null
}

/**
 * Changes an endpoint. Waiting deliveries go to a new URL at once; the secret stays. Own headers may hold
 * credentials, which are never shown: they go to another origin only if they are given again.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming `url`, `eventTypes.N`, `headers` or `headers.NAME`; 404; 409 `cap_reached`
 */
export async function changeEndpoint(
  ctx: EndpointTypesContext,
  businessId: string,
  id: string,
  change: EndpointChange,
  also?: (tx: Tx, result: { before: EndpointView; after: EndpointView }) => Promise<void>,
): Promise<EndpointView> {
  const { description, headers: changes = {} } = change
  const types = change.eventTypes === undefined ? undefined : storedTypes(change.eventTypes)
  const wrong = [
    ...(change.url === undefined ? [] : requireUrl(ctx, change.url)),
    ...requireEventTypes(ctx, types ?? null),
    ...requireHeaders(changes),
    ...requireFilters(change),
  ]
  if (wrong.length > 0) throw invalidBody(...wrong)
  const url = change.url === undefined ? undefined : storedUrl(change.url)
  return ctx.db.tx(async (tx) => {
    const { sealedHeaders, maxPerSecond } = await lockEndpoint(tx, businessId, id)
    if (url !== undefined) await lockEvents(tx, businessId)
    const before = await readEndpoint(ctx, tx, businessId, id)
    const ownBefore = openHeaders(ctx.appKey, id, sealedHeaders)
    const own = changedHeaders(ownBefore, changes)
    const unfit = [
      ...requireHeadersFit(own),
      ...requireGivenAgain(before.url, url, Object.keys(ownBefore), changes),
    ]
    if (unfit.length > 0) throw invalidBody(...unfit)
    const filters = changedFilters(before, change)
    await tx.query(
      'update webhook_endpoints set url = $2, host = $3, description = $4, event_types = $5, sealed_headers = $6, max_per_second = $7, chains = $8, tokens = $9, reference_prefix = $10 where id = $1',
      [
        id,
        url ?? before.url,
        hostOf(url ?? before.url),
        description ?? before.description,
        types === undefined ? before.eventTypes : types,
        sealHeaders(ctx.appKey, id, own),
        change.maxPerSecond === undefined ? maxPerSecond : change.maxPerSecond,
        filters.chains,
        filters.tokens,
        filters.referencePrefix,
      ],
    )
    if (url !== undefined && hostOf(url) !== hostOf(before.url))
      await requireRoomAtHost(ctx, tx, businessId, url)
    // The old receiver's failures do not count for the new one.
    if (url !== undefined && url !== before.url) await restartEndpoint(tx, id)
    const after = await readEndpoint(ctx, tx, businessId, id)
    await also?.(tx, { before, after })
    return after
  })
}

/** A caller that does not know a header's value must not have it sent to a server of its own. */
function requireGivenAgain(
  from: string,
  to: string | undefined,
  names: readonly string[],
  changes: EndpointChange['headers'] = {},
): FieldMistake[] {
  if (to === undefined || new URL(to).origin === new URL(from).origin) return []
  const given = new Set(Object.keys(changes).map((name) => name.toLowerCase()))
  return names
    .filter((name) => !given.has(name))
    .map((name) => ({
      field: `headers.${name}`,
      message: 'must be given again, or removed with null: the URL has another origin',
      code: 'not_possible',
    }))
}

/** A URL as it is stored, shown and called: as it was parsed, so that all of these are the same. */
export const storedUrl = (text: string): string => new URL(text).href

/** Types as they are stored: null is all, and so is `*` alone. */
export const storedTypes = (types: string[] | null): string[] | null =>
  types?.length === 1 && types[0] === '*' ? null : types

/** Checks an endpoint's URL. */
export function requireUrl(
  ctx: Pick<EndpointContext, 'environment' | 'allowHosts'>,
  text: string,
  field = 'url',
): FieldMistake[] {
  const message = problemOf(ctx, text)
  return message === null ? [] : [{ field, message, code: 'invalid_url' }]
}

const maxUrl = 2000

function problemOf(ctx: Pick<EndpointContext, 'environment' | 'allowHosts'>, text: string): string | null {
  if (!URL.canParse(text)) return 'is not a URL such as https://shop.example/hook'
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && ctx.environment === 'test'))
    return 'must begin with https://'
  // The resolved address is checked at each connection; this reports obvious mistakes early.
  if (
    ctx.environment === 'live' &&
    isInside(hostname) &&
    !isAllowed(parseAllowed(ctx.allowHosts ?? []), hostname)
  )
    return 'must be a public host'
  if (username || password) return 'must not hold a user name or a password'
  if (hash) return 'must not end in a fragment'
  if (storedUrl(text).length > maxUrl) return `must have ${maxUrl} characters at most, percent-encoded`
  return null
}

const isInside = (hostname: string): boolean =>
  /^(localhost|.*\.(localhost|local|internal))\.?$/i.test(hostname) ||
  (/^[\d.]+$|^\[/.test(hostname) && !isPublicAddress(hostname.replace(/^\[|\]$/g, '')))

/** Checks a selection of event types. */
export const requireEventTypes = (
  { eventTypes }: Pick<EndpointTypesContext, 'eventTypes'>,
  types: readonly string[] | null,
): FieldMistake[] => requireTypes(eventTypes, types ?? [], (i) => `eventTypes.${i}`)
