import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { eventTypes as knownTypes } from '../../src/capabilities.ts'
import { type EventType, recordDeliveries } from '../../src/events/recordEvents.ts'
import { newId } from '../../src/platform/ids.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { pause } from '../../src/platform/wait.ts'
import { createEndpoint } from '../../src/webhooks/createEndpoint.ts'
import type { Receivers } from '../support/badReceivers.ts'
import type { Arrival } from '../support/receivers/main.ts'
import type { Stack } from '../support/stack.ts'
import { appKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'
import { wideCaps } from '../support/wideCaps.ts'

export interface KnownEndpoint {
  id: string
  /** The receiver's name. */
  name: string
  business: KnownBusiness
  /** Whether the endpoint subscribes to a type. */
  takes(type: EventType): boolean
}

export interface KnownBusiness {
  id: string
  endpoints: KnownEndpoint[]
}

/** An event as recorded by the suite. */
export interface KnownEvent {
  n: number
  business: KnownBusiness
  type: EventType
  /** Just before its transaction was committed. */
  at: number
}

/** Event types of a business's endpoints, one entry per endpoint; null: all. */
export type EventTypes = readonly (string[] | null)[]

/**
 * Creates businesses with endpoints at receivers that know the secrets. @param prefix of the receivers' names
 */
export async function createBusinesses(
  stack: Stack,
  receivers: Receivers,
  prefix: string,
  typesOfBusinesses: readonly EventTypes[],
): Promise<KnownBusiness[]> {
  const ctx = {
    db: stack.db,
    appKey: new Secret(appKey),
    environment: 'test' as const,
    caps: wideCaps,
    eventTypes: knownTypes,
  }
  const secrets: Record<string, string> = {}
  const businesses: KnownBusiness[] = []
  for (const endpoints of typesOfBusinesses) {
    const business: KnownBusiness = { id: newId(), endpoints: [] }
    await stack.db.query(
      "insert into businesses (id, name, fee_percent, fx_margin_percent, approval) values ($1, $2, 1, 1, 'approved')",
      [business.id, `${prefix} ${businesses.length}`],
    )
    for (const eventTypes of endpoints) {
      const name = `${prefix}-${Object.keys(secrets).length}`
      const { endpoint, secret } = await createEndpoint(ctx, business.id, {
        url: receivers.urlOf(name),
        ...(eventTypes && { eventTypes }),
      })
      if (!secret) throw new Error('createEndpoint returned no secret')
      secrets[name] = secret.reveal()
      const takes = (type: EventType) =>
        eventTypes === null ||
        eventTypes.some(
          (each) => each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))),
        )
      business.endpoints.push({ id: endpoint.id, name, business, takes })
    }
    businesses.push(business)
  }
  await receivers.know(secrets)
  return businesses
}

export const endpointsOf = (businesses: readonly KnownBusiness[]): KnownEndpoint[] =>
  businesses.flatMap(({ endpoints }) => endpoints)

export const keyOf = (stack: Stack, business: KnownBusiness): Promise<Secret> =>
  createApiKey(
    { db: stack.db },
    { businessId: business.id, name: 'reader', scope: 'read', environment: 'test' },
  )

const types = ['session.detected', 'transaction.confirmed', 'session.paid', 'transfer.confirmed'] as const
let recorded = 0

/** Records events of several types for a business in one transaction, as the workers do. */
export async function record(stack: Stack, business: KnownBusiness, count: number): Promise<KnownEvent[]> {
  const events = Array.from({ length: count }, () => {
    const n = recorded++
    return { n, business, type: types[n % types.length] ?? 'session.detected', at: 0 }
  })
  const about = {
    chain: 'ethereum',
    address: `0x${'ab'.repeat(20)}`,
    symbol: 'USDC',
    amount: '12.5',
    txId: null,
  }
  await stack.db.tx(async (tx) => {
    await recordDeliveries(
      tx,
      business.id,
      events.map(({ n, type }) => ({
        type,
        data: { n, id: newId(), amount: '12.5', reference: 'x'.repeat(400) },
        about,
      })),
    )
    for (const event of events) event.at = Date.now()
  })
  return events
}

/** Records events for all businesses in turn, a few at a time, evenly over a period. */
export async function recordOver(
  stack: Stack,
  businesses: readonly KnownBusiness[],
  { each, atOnce, overMs }: { each: number; atOnce: number; overMs: number },
): Promise<KnownEvent[]> {
  const turns = Array.from({ length: Math.ceil(each / atOnce) }, () => businesses).flat()
  const began = Date.now()
  const events: KnownEvent[] = []
  for (const [i, business] of turns.entries()) {
    await pause(Math.max(0, began + (i / turns.length) * overMs - Date.now()))
    events.push(...(await record(stack, business, atOnce)))
  }
  return events
}

/** Waits until the queue has no delivery to these endpoints. */
export async function delivered(
  stack: Stack,
  endpoints: readonly KnownEndpoint[],
  withinMs = 60_000,
): Promise<void> {
  const ids = endpoints.map(({ id }) => id)
  const sql = 'select 1 from webhook_queue where endpoint_id = any($1::uuid[]) limit 1'
  await waitFor(
    'no queued delivery',
    async () => (await stack.db.query(sql, [ids])).length === 0,
    withinMs,
  ).catch((error) => {
    throw new Error(`${error.message}\n${stack.troubles()}`)
  })
}

/** After this many consecutive failures an endpoint gets one attempt at a time. */
export const troubledFrom = 3

/** Waits until an endpoint is troubled. @returns a time from which claims respect that */
export const troubledSince = (stack: Stack, { id }: KnownEndpoint): Promise<number> =>
  waitFor('a troubled endpoint', async () => {
    const [row] = await stack.db.query<{ n: number }>(
      'select consecutive_failures as n from webhook_endpoints where id = $1',
      [id],
    )
    return (row?.n ?? 0) >= troubledFrom ? Date.now() : null
  })

/** Attempts that were claimed but never recorded; empty unless a worker was killed. */
export const interrupted = (stack: Stack) =>
  stack.db.query("select delivery_id, number from webhook_attempts where error like 'interrupted%' limit 5")

/** Each event once to each endpoint by POST, in the format of `cameTo`. */
export const expectedAt = (endpoints: readonly KnownEndpoint[], events: readonly KnownEvent[]): string[] =>
  endpoints
    .flatMap(({ name, business }) =>
      events.filter((e) => e.business === business).map(({ n }) => `POST ${name} ${n}`),
    )
    .sort()

/** All arrivals at the endpoints. */
export function arrivalsAt(endpoints: readonly KnownEndpoint[], arrivals: readonly Arrival[]): string[] {
  const names = new Set(endpoints.map(({ name }) => name))
  return arrivals
    .filter(({ to }) => names.has(to))
    .map(({ method, to, n }) => `${method} ${to} ${n}`)
    .sort()
}
