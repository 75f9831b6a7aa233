import type { Dispatcher } from 'undici'
import { type Db, isDatabaseAway } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { Log } from '../platform/log.ts'
import type { Secret } from '../platform/secrets.ts'
import { pause } from '../platform/wait.ts'
import type { AttemptResult } from './attempt.ts'
import { type Bulkhead, passThrough } from './bulkhead.ts'
import { type Claimed, type Keys, type Message, messagesOf, openKeys } from './messages.ts'
import type { Signals } from './signals.ts'
import { createSlots } from './slots.ts'
import { stopEndpoint } from './stopEndpoint.ts'
import { type DueEndpoint, type Ended, type Turn, takeTurn, troubledFrom } from './turn.ts'

export interface DeliveryContext {
  db: Db
  log: Log
  appKey: Secret
  dispatcher: Dispatcher
  /** For the whole answer of a receiver. */
  timeoutMs: number
  /** Attempts to one endpoint at a time, at most, over all workers. */
  inFlight: number
  /** Attempts of one business to one host at a time, at most, over all workers, where the operator set nothing else for it. */
  hostInFlight: number
  /** Milliseconds before each attempt, the first included. */
  schedule: readonly number[]
  /** An endpoint without a success for this long is paused. */
  pauseAfterMs: number
  /** How much longer an endpoint in trouble is left alone with each failure. */
  stepMs: number
  /** Places of this worker for endpoints in trouble. */
  bulkhead: Bulkhead
  signals: Signals
  observe: {
    attempted(outcome: AttemptResult['outcome'], seconds: number): void
    ended(outcome: 'delivered' | 'failed', deliveries: number): void
  }
}

interface Caps {
  cap: number
  troubledCap: number
}
const noCaps: Caps = { cap: 0, troubledCap: 0 }

/**
 * Attempts what is due for one endpoint until nothing is, or `signal` is aborted. Each attempt has a slot of its own, which is filled
 * again as it ends: one that is slow holds up no other. An endpoint in trouble is asked with one attempt at a time, until one succeeds;
 * it needs a place of the lane, and gives it up to others after each attempt. Without one it is left to the relay's next look.
 */
export async function deliverDue(ctx: DeliveryContext, endpointId: string, signal: AbortSignal): Promise<void> {
  const slots = createSlots(ctx)
  const passage = passThrough(ctx.bulkhead)
  const caps = (): Caps => (signal.aborted ? noCaps : { cap: ctx.inFlight, troubledCap: passage.open() ? 1 : 0 })
  const keysOf = keyRing(ctx.appKey)
  const deaf = ctx.signals.listen(endpointId, slots.wake)
  try {
    for (let more = true; more; ) {
      const results = slots.take()
      if (results.length > 0) passage.attempted()
      const { endpoint, claimed } = await settle(ctx, endpointId, results, caps(), slots.used() > 0)
      if (!endpoint) return
      if (claimed.length > 0) {
        failpoint('webhook-delivery.claimed')
        const keys = keysOf(endpoint)
        const messages = messagesOf(claimed)
        for (const message of messages) slots.start(endpoint.url, keys, message)
        if (messages.length < claimed.length) await forgetLost(ctx, endpointId, claimed, messages)
      }
      const troubled = endpoint.open && endpoint.consecutive_failures >= troubledFrom
      ctx.bulkhead.note(endpointId, troubled)
      const entered = passage.judge(troubled)
      const max = endpoint.open ? caps()[troubled ? 'troubledCap' : 'cap'] : 0
      // The next turn has the place that this one had not, or claims where this one did not because the endpoint was to be paused, and was not.
      const again = entered || (endpoint.open && (endpoint.overdue || results.some(({ result }) => result.outcome === 'gone')))
      more = (again && slots.used() < max) || (await slots.wait(max))
    }
  } finally {
    deaf()
    await slots.drain()
    passage.leave()
  }
}

/** The event of a delivery went by age before it could be sent: nothing is left to send, and nobody will. */
async function forgetLost(ctx: DeliveryContext, endpointId: string, claimed: readonly Claimed[], messages: readonly Message[]): Promise<void> {
  const there = new Set(messages.map((message) => message.claimed.delivery_id))
  const lost = claimed.filter(({ delivery_id }) => !there.has(delivery_id)).map(({ delivery_id }) => delivery_id)
  await ctx.db.query('delete from webhook_queue where delivery_id = any($1::uuid[])', [lost])
  ctx.log.warn({ endpointId, deliveries: lost.length }, 'deliveries were given up whose events are no longer kept')
}

/** Stores results and claims what may be claimed; where they say that the endpoint wants no more, or it has failed for too long, it is paused. */
async function settle(ctx: DeliveryContext, endpointId: string, results: readonly Ended[], caps: Caps, underWay: boolean): Promise<Turn> {
  if (results.length > 0) failpoint('webhook-delivery.sent')
  const goneFrom = new Set(results.flatMap(({ url, result }) => (result.outcome === 'gone' ? [url] : [])))
  const groups = apart(results)
  const last = groups.pop() ?? []
  const options = { deadlineMs: ctx.timeoutMs, schedule: ctx.schedule, pauseAfterMs: ctx.pauseAfterMs, stepMs: ctx.stepMs, hostCap: ctx.hostInFlight }
  for (const group of groups) await retryWhileDatabaseAway(ctx, true, () => takeTurn(ctx.db, endpointId, group, { ...options, ...noCaps }))
  const turn = await retryWhileDatabaseAway(ctx, underWay || last.length > 0, () =>
    takeTurn(ctx.db, endpointId, last, { ...options, ...(goneFrom.size > 0 ? noCaps : caps) }),
  )
  if (results.length > 0) failpoint('webhook-delivery.recorded')
  ctx.observe.ended('delivered', results.filter(({ result }) => result.outcome === 'delivered').length)
  ctx.observe.ended('failed', turn.failed)
  const { endpoint } = turn
  const reason = endpoint && goneFrom.has(endpoint.url) ? 'gone' : endpoint?.overdue ? 'failing' : null
  if (endpoint?.open && reason !== null && (await stopEndpoint(ctx, endpointId, endpoint.url, reason))) {
    endpoint.open = false
    ctx.log.warn({ endpointId, reason }, 'a webhook endpoint was paused')
  }
  return turn
}

/** A turn stores a delivery once, and what one address said: of one whose claim ran out there may be two attempts, and the address may change. */
function apart(ended: readonly Ended[]): Ended[][] {
  const groups: { url: string; ids: Set<string>; ended: Ended[] }[] = []
  for (const each of ended) {
    const { url, claimed } = each
    const group = groups.find((other) => other.url === url && !other.ids.has(claimed.delivery_id))
    group?.ids.add(claimed.delivery_id)
    group?.ended.push(each)
    if (!group) groups.push({ url, ids: new Set([claimed.delivery_id]), ended: [each] })
  }
  return groups.map((group) => group.ended)
}

/** What receivers answered, or are about to, is not forgotten because the database is away for a moment; when the claims have run out, others know better. */
async function retryWhileDatabaseAway<T>(ctx: { timeoutMs: number }, matters: boolean, work: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + ctx.timeoutMs; ; await pause(250)) {
    try {
      return await work()
    } catch (error) {
      if (!matters || !isDatabaseAway(error) || Date.now() > until) throw error
    }
  }
}

/** Opens an endpoint's secrets once, and again when they change. */
function keyRing(appKey: Secret): (endpoint: DueEndpoint) => Keys {
  let known: { sealed: Buffer; until: Date | null; keys: Keys } | null = null
  return (endpoint) => {
    const fresh = known?.sealed.equals(endpoint.sealed_secret) && (known.until === null || known.until > new Date())
    if (!known || !fresh) {
      const keys = openKeys(appKey, endpoint)
      known = { sealed: endpoint.sealed_secret, until: keys.previous && endpoint.previous_until, keys }
    }
    return known.keys
  }
}
