import type { TraceContext } from '../platform/telemetry/scope.ts'
import { createBell, pause } from '../platform/wait.ts'
import { type AttemptResult, attemptDelivery } from './attempt.ts'
import type { Ended } from './claimBatch.ts'
import type { Claimed, Keys, Message } from './messages.ts'

/** Interval of checks while attempts run, in case a signal did not reach this process. */
const checkMs = 1000
/**
 * An ended attempt waits this long for others, so that they are stored together: while slots wait for claims,
 * and while claims wait for slots.
 */
const gatherMs = { short: 3, long: 100 }
/**
 * As many ended attempts are stored without waiting for more, as a multiple of the slots: a call costs as
 * much as twenty attempts in it.
 */
const storedOf = 24
/** Of what waited after a claim; when no more than this waits, the next claim is made. */
const lowShare = 0.4
/**
 * A claim that waits longer for a slot is returned: a pause, a new URL or a new secret takes effect with the
 * next claim, and must not wait for slow attempts.
 */
export const freshMs = 500

/** The running attempts to one endpoint in this process, and the claims that wait for a slot. */
export interface Slots {
  /**
   * Starts attempts of what was claimed, at most `max` at once. The rest waits for slots, and starts as
   * attempts succeed; after a failure no attempt starts until the next call. What already waits is sent to
   * this URL too.
   * @param claimedAt when the claim started, as `performance.now()`
   * @param isAll no more was due then: no slot waits for the next claim
   */
  serve(
    url: string,
    keys: Keys,
    messages: readonly Message[],
    claimedAt: number,
    max: number,
    isAll: boolean,
  ): void
  used(): number
  /** Ids of deliveries under way or waiting. */
  held(): string[]
  /**
   * Returns the attempts that ended since the last call, and the claims that are to be returned. The claim
   * that follows serves earlier signals.
   * @param gives true: all that wait are returned
   */
  take(gives?: boolean): { ended: Ended[]; returned: Claimed[] }
  /** Signals that there may be more to claim than the last claim has seen. */
  signal(): void
  /**
   * Resolves when an attempt has ended; while fewer than `max` slots are used, also at a signal or after a
   * second.
   * @param limitedMs milliseconds until another attempt may be claimed, while a limit holds them back
   * @returns false if nothing is running, waiting, held back, ended or signalled
   */
  wait(max: number, limitedMs?: number | null): Promise<boolean>
  /** Starts no more; resolves when no attempt is running. */
  drain(): Promise<unknown>
}

interface Waiting {
  message: Message
  until: number
}

/** A callback that is gone says nothing of the others of its host. */
const ofDelivery = ({ deliveryUrl }: Claimed, result: AttemptResult): AttemptResult =>
  deliveryUrl && result.outcome === 'gone' ? { ...result, outcome: 'failed' } : result

/** @param mayStart false: the process stops */
export function createSlots(
  ctx: Parameters<typeof attemptDelivery>[0] & {
    observe: {
      attempted(outcome: AttemptResult['outcome'], seconds: number, trace: TraceContext | null): void
    }
  },
  mayStart: () => boolean,
): Slots {
  const bell = createBell()
  const underWay = new Map<Promise<void>, string>()
  let ended: Ended[] = []
  let waiting: Waiting[] = []
  let target: { url: string; keys: Keys } | null = null
  let places = 0
  let signalled = false
  let isAllClaimed = false
  let lowAt = 0
  /** Rung when the next claim must not wait for more attempts to end. */
  const due = createBell()
  const isDue = () => {
    if (places === 0 || underWay.size + waiting.length === 0) return true
    return (signalled || !isAllClaimed) && (ended.length >= places * storedOf || waiting.length <= lowAt)
  }

  const isFresh = ({ until }: Waiting) => until > performance.now()
  const start = ({ url, keys }: { url: string; keys: Keys }, { claimed, eventId, body }: Message) => {
    const startedAt = new Date()
    const observe = ({ outcome, durationMs }: AttemptResult, trace: TraceContext | null) =>
      ctx.observe.attempted(outcome, durationMs / 1000, trace)
    const attempt = attemptDelivery(ctx, {
      url: claimed.deliveryUrl ?? url,
      ...keys,
      id: eventId,
      body,
      of: claimed,
      ended: observe,
    }).then((answer) => {
      const result = ofDelivery(claimed, answer)
      ended.push({ claimed, url, startedAt, result })
      underWay.delete(attempt)
      // The claim that follows decides if there are more.
      if (result.outcome !== 'delivered') places = 0
      fill()
      bell.ring()
      if (isDue()) due.ring()
    })
    underWay.set(attempt, claimed.deliveryId)
  }
  /** @param isOpen the endpoint is open, by the claim that has just been made */
  const fill = (isOpen = false) => {
    while (target && underWay.size < places && mayStart()) {
      const [first] = waiting
      if (!first || !(isOpen || isFresh(first))) return
      waiting.shift()
      start(target, first.message)
    }
  }
  /** Until the first that waits is to be returned. */
  const staleMs = () => (waiting[0] ? Math.max(1, Math.ceil(waiting[0].until - performance.now())) : checkMs)
  const mustReturn = () => waiting.length > 0 && (underWay.size === 0 || !waiting.every(isFresh))
  const gather = async () => {
    if (waiting.length === 0) await Promise.race([Promise.all(underWay.keys()), pause(gatherMs.short)])
    else if (!isDue()) {
      due.clear()
      await due.wait(Math.min(gatherMs.long, staleMs()))
    }
  }
  return {
    serve(url, keys, messages, claimedAt, max, isAll) {
      target = { url, keys }
      places = max
      isAllClaimed = isAll
      waiting.push(...messages.map((message) => ({ message, until: claimedAt + freshMs })))
      // Though the claim was slow: otherwise a slow database would keep a free slot from every claim. It
      // expires after twice the timeout.
      fill(performance.now() - claimedAt < ctx.timeoutMs)
      lowAt = Math.ceil(waiting.length * lowShare)
    },
    used: () => underWay.size,
    held: () => [...underWay.values(), ...waiting.map(({ message }) => message.claimed.deliveryId)],
    take(gives = false) {
      const taken = ended
      const all = gives || !mayStart() || taken.some(({ result }) => result.outcome !== 'delivered')
      const given = all ? waiting : waiting.filter((each) => !isFresh(each))
      waiting = all ? [] : waiting.filter((each) => !given.includes(each))
      ended = []
      signalled = false
      bell.clear()
      return { ended: taken, returned: given.map(({ message }) => message.claimed) }
    },
    signal() {
      signalled = true
      bell.ring()
      if (isDue()) due.ring()
    },
    async wait(max, limitedMs = null) {
      const heldMs = max === 0 ? null : limitedMs
      if (underWay.size === 0 && waiting.length === 0 && heldMs === null)
        return ended.length > 0 || (signalled && max > 0)
      while (ended.length === 0 && !mustReturn()) {
        await bell.wait(heldMs === null ? Math.min(checkMs, staleMs()) : Math.ceil(heldMs))
        // Nothing can be claimed while every slot is in use.
        if (underWay.size < max) break
      }
      if (ended.length > 0 && underWay.size > 0) await gather()
      return true
    },
    drain() {
      places = 0
      return Promise.all(underWay.keys())
    },
  }
}
