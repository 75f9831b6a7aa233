import type { Dispatcher } from 'undici'
import { isDatabaseAway } from '../platform/database/databaseAway.ts'
import type { Db } from '../platform/database/db.ts'
import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Log } from '../platform/telemetry/log.ts'
import type { TraceContext } from '../platform/telemetry/scope.ts'
import { pause } from '../platform/wait.ts'
import type { AttemptResult } from './attempt.ts'
import { type Bulkhead, createPermitHolder } from './bulkhead.ts'
import { type ClaimBatch, claimBatch, type DueEndpoint, type Ended, troubledFrom } from './claimBatch.ts'
import { type Claimed, type Keys, type Message, messagesOf, openKeys } from './messages.ts'
import { reportHealth } from './reportHealth.ts'
import type { Signals } from './signals.ts'
import { createSlots, type Slots } from './slots.ts'
import { stopEndpoint } from './stopEndpoint.ts'

export interface DeliveryContext {
  db: Db
  log: Log
  appKey: Secret
  dispatcher: Dispatcher
  /** For the receiver's whole response. */
  timeoutMs: number
  /** Maximum concurrent attempts to one endpoint, over all workers. */
  inFlight: number
  /**
   * Maximum concurrent attempts of one business to one host, over all workers, unless the operator set
   * another number for it.
   */
  hostInFlight: number
  /** Milliseconds before each attempt, the first included. */
  schedule: readonly number[]
  /** An endpoint without a success for this long is paused. */
  pauseAfterMs: number
  /** Added to the pause of a failing endpoint with each failure. */
  stepMs: number
  /** Places of this worker for failing endpoints. */
  bulkhead: Bulkhead
  signals: Signals
  observe: {
    attempted(outcome: AttemptResult['outcome'], seconds: number, trace: TraceContext | null): void
    ended(outcome: 'delivered' | 'failed', deliveries: number): void
  }
}

interface Caps {
  cap: number
  troubledCap: number
}
const noCaps: Caps = { cap: 0, troubledCap: 0 }

/** Claims ahead of the slots, as a multiple of them: before the endpoint's pace is known, and at most. */
const aheadOf = { first: 4, max: 32 }
/** How long claims ahead should wait for a slot, at the endpoint's latest pace. */
const aheadMs = 200

/**
 * Attempts the due deliveries of one endpoint until there are no more, or `signal` is aborted. Each attempt
 * has its own slot, which is refilled when it ends: a slow attempt delays no other. Of a quick endpoint more
 * is claimed than there are slots, so that no slot waits for a claim. A failing endpoint gets one attempt at
 * a time until one succeeds; it needs a permit of the bulkhead, and gives it up to others after each attempt.
 * Without a permit it is left to the relay's next scan.
 */
export async function deliverDue(
  ctx: DeliveryContext,
  endpointId: string,
  signal: AbortSignal,
): Promise<void> {
  const slots = createSlots(ctx, () => !signal.aborted)
  const permit = createPermitHolder(ctx.bulkhead)
  const caps = (): Caps =>
    signal.aborted ? noCaps : { cap: ctx.inFlight, troubledCap: permit.mayAttempt() ? 1 : 0 }
  const keysOf = keyRing(ctx.appKey)
  const unsubscribe = ctx.signals.listen(endpointId, slots.signal)
  try {
    let isOpen = true
    const aheadAfter = createPace(ctx.inFlight)
    for (let more = true; more; ) {
      const { ended, returned } = slots.take(!isOpen)
      if (ended.length > 0) permit.attempted()
      const claimedAt = performance.now()
      const ahead = aheadAfter(ended.length, returned.length, claimedAt)
      const wanted = { ...caps(), held: slots.held(), ahead: signal.aborted ? 0 : ahead }
      const { endpoint, claimed } = await settle(
        ctx,
        endpointId,
        { ended, returned },
        wanted,
        slots.used() > 0,
      )
      if (!endpoint) return
      isOpen = endpoint.open
      const troubled = endpoint.open && endpoint.consecutiveFailures >= troubledFrom
      ctx.bulkhead.note(endpointId, troubled)
      const admitted = permit.report(troubled)
      const max = endpoint.open ? caps()[troubled ? 'troubledCap' : 'cap'] : 0
      if (claimed.length > 0) failpoint('webhook-delivery.claimed')
      const messages = messagesOf(claimed)
      const isAll = claimed.length < wanted.cap + wanted.ahead - wanted.held.length
      slots.serve(endpoint.url, keysOf(endpoint), messages, claimedAt, max, isAll)
      if (messages.length < claimed.length) await dropLost(ctx, endpointId, claimed, messages)
      // Claim again: with the permit that this batch did not have, or after a batch that claimed nothing
      // because the endpoint was to be paused and was not.
      const again =
        admitted ||
        (endpoint.open && (endpoint.overdue || ended.some(({ result }) => result.outcome === 'gone')))
      more = (again && slots.used() < max) || (await slots.wait(max, endpoint.limitedMs))
    }
  } finally {
    unsubscribe()
    await slots.drain()
    permit.release()
  }
}

/**
 * @returns counts the claims ahead that the endpoint's latest pace allows; zero after claims were returned,
 * until an attempt ends
 */
function createPace(inFlight: number): (ended: number, returned: number, at: number) => number {
  let ahead = inFlight * aheadOf.first
  let countedFrom = performance.now()
  return (ended, returned, at) => {
    if (ended > 0) {
      ahead = Math.min(inFlight * aheadOf.max, Math.floor((ended * aheadMs) / Math.max(1, at - countedFrom)))
      countedFrom = at
    } else if (returned > 0) ahead = 0
    return ahead
  }
}

/** Gives up deliveries whose event was deleted by age before it could be sent. */
async function dropLost(
  ctx: DeliveryContext,
  endpointId: string,
  claimed: readonly Claimed[],
  messages: readonly Message[],
): Promise<void> {
  const there = new Set(messages.map((message) => message.claimed.deliveryId))
  const lost = claimed.filter(({ deliveryId }) => !there.has(deliveryId)).map(({ deliveryId }) => deliveryId)
  await ctx.db.query('delete from webhook_queue where delivery_id = any($1::uuid[])', [lost])
  ctx.log.warn(
    { endpointId, deliveries: lost.length },
    'deliveries given up: their events are no longer stored',
  )
}

/**
 * Stores results and claims the next attempts. Pauses the endpoint if it answered 410 or has failed for too
 * long.
 */
async function settle(
  ctx: DeliveryContext,
  endpointId: string,
  { ended: results, returned }: ReturnType<Slots['take']>,
  wanted: Caps & { held: readonly string[]; ahead: number },
  underWay: boolean,
): Promise<ClaimBatch> {
  if (results.length > 0) failpoint('webhook-delivery.sent')
  const goneFrom = new Set(results.flatMap(({ url, result }) => (result.outcome === 'gone' ? [url] : [])))
  const groups = groupByUrl(results)
  const last = groups.pop() ?? []
  const options = {
    deadlineMs: ctx.timeoutMs,
    schedule: ctx.schedule,
    pauseAfterMs: ctx.pauseAfterMs,
    stepMs: ctx.stepMs,
    hostCap: ctx.hostInFlight,
  }
  let hasNews = false
  for (const group of groups) {
    const { endpoint } = await retryWhileDatabaseAway(ctx, true, () =>
      claimBatch(ctx.db, endpointId, group, { ...options, ...noCaps }),
    )
    hasNews ||= endpoint?.hasNews ?? false
  }
  const batch = await retryWhileDatabaseAway(ctx, underWay || last.length > 0, () =>
    claimBatch(ctx.db, endpointId, last, {
      ...options,
      ...wanted,
      returned,
      ...(goneFrom.size > 0 ? { ...noCaps, ahead: 0 } : {}),
    }),
  )
  if (results.length > 0) failpoint('webhook-delivery.recorded')
  ctx.observe.ended('delivered', results.filter(({ result }) => result.outcome === 'delivered').length)
  ctx.observe.ended('failed', batch.failed)
  const { endpoint } = batch
  const failing = endpoint?.overdue ? 'failing' : null
  const reason = endpoint && goneFrom.has(endpoint.url) ? 'gone' : failing
  if (endpoint?.open && reason !== null && (await stopEndpoint(ctx, endpointId, endpoint.url, reason))) {
    endpoint.open = false
    ctx.log.warn({ endpointId, reason }, 'a webhook endpoint was paused')
  }
  // After the pause, whose waiting deliveries may have failed.
  if (hasNews || endpoint?.hasNews) await report(ctx, endpointId)
  return batch
}

/** Maintenance reports what could not be reported now. */
async function report(ctx: DeliveryContext, endpointId: string): Promise<void> {
  await reportHealth(ctx, endpointId).catch((error) =>
    ctx.log.warn({ endpointId, err: messageOf(error) }, 'failed to report an endpoint; it is retried'),
  )
}

/**
 * One call of `claimBatch` takes a delivery once, and results of one URL: an expired claim may lead to two
 * attempts of a delivery, and the URL may change.
 */
function groupByUrl(ended: readonly Ended[]): Ended[][] {
  const groups: { url: string; ids: Set<string>; ended: Ended[] }[] = []
  for (const each of ended) {
    const { url, claimed } = each
    const group = groups.find((other) => other.url === url && !other.ids.has(claimed.deliveryId))
    group?.ids.add(claimed.deliveryId)
    group?.ended.push(each)
    if (!group) groups.push({ url, ids: new Set([claimed.deliveryId]), ended: [each] })
  }
  return groups.map((group) => group.ended)
}

/**
 * Keeps results through a short outage of the database, and tries once more after another error. Gives up
 * when the claims have expired: by then other workers may have taken over.
 */
async function retryWhileDatabaseAway<T>(
  ctx: { timeoutMs: number },
  matters: boolean,
  work: () => Promise<T>,
): Promise<T> {
  let others = 0
  for (const until = Date.now() + ctx.timeoutMs; ; await pause(250)) {
    try {
      return await work()
    } catch (error) {
      if (!matters || !(isDatabaseAway(error) || ++others === 1) || Date.now() > until) throw error
    }
  }
}

const isSame = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other)

/** Opens an endpoint's secrets and headers once, and again when they change. */
function keyRing(appKey: Secret): (endpoint: DueEndpoint) => Keys {
  let known: { endpoint: DueEndpoint; until: Date | null; keys: Keys } | null = null
  return (endpoint) => {
    const fresh =
      known?.endpoint.sealedSecret.equals(endpoint.sealedSecret) &&
      isSame(known.endpoint.sealedHeaders, endpoint.sealedHeaders) &&
      known.endpoint.previousUntil?.getTime() === endpoint.previousUntil?.getTime() &&
      (known.until === null || known.until > new Date())
    if (!known || !fresh) {
      const keys = openKeys(appKey, endpoint)
      known = { endpoint, until: keys.previous && endpoint.previousUntil, keys }
    }
    return known.keys
  }
}
