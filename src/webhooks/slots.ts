import { createBell, pause } from '../platform/wait.ts'
import { type AttemptResult, attemptDelivery } from './attempt.ts'
import type { Ended } from './claimBatch.ts'
import type { Keys, Message } from './messages.ts'

/** Interval of checks while attempts run, in case a signal did not reach this process. */
const checkMs = 1000
/** An ended attempt waits this long for others, so that they are stored together. */
const gatherMs = 3

/** The running attempts to one endpoint in this process. */
export interface Slots {
  start(url: string, keys: Keys, message: Message): void
  used(): number
  /** Returns the attempts that ended since the last call. The claim that follows serves earlier signals. */
  take(): Ended[]
  /** Signals that there may be more to claim than the last claim has seen. */
  signal(): void
  /**
   * Resolves when an attempt has ended; while fewer than `max` slots are used, also at a signal or after a second.
   * @param limitedMs milliseconds until another attempt may be claimed, while a limit holds them back
   * @returns false if nothing is running, held back, ended or signalled
   */
  wait(max: number, limitedMs?: number | null): Promise<boolean>
  /** Resolves when no attempt is running. */
  drain(): Promise<unknown>
}

export function createSlots(
  ctx: Parameters<typeof attemptDelivery>[0] & { observe: { attempted(outcome: AttemptResult['outcome'], seconds: number): void } },
): Slots {
  const bell = createBell()
  const underWay = new Set<Promise<void>>()
  let ended: Ended[] = []
  let signalled = false
  return {
    start(url, keys, { claimed, eventId, body }) {
      const startedAt = new Date()
      const attempt = attemptDelivery(ctx, { url, ...keys, id: eventId, body }).then((result) => {
        ctx.observe.attempted(result.outcome, result.durationMs / 1000)
        ended.push({ claimed, url, startedAt, result })
        underWay.delete(attempt)
        bell.ring()
      })
      underWay.add(attempt)
    },
    used: () => underWay.size,
    take() {
      const taken = ended
      ended = []
      signalled = false
      bell.clear()
      return taken
    },
    signal() {
      signalled = true
      bell.ring()
    },
    async wait(max, limitedMs = null) {
      const heldMs = max === 0 ? null : limitedMs
      if (underWay.size === 0 && heldMs === null) return ended.length > 0 || (signalled && max > 0)
      do {
        if (ended.length === 0) await bell.wait(heldMs === null ? checkMs : Math.ceil(heldMs))
        // Nothing can be claimed while every slot is in use.
      } while (ended.length === 0 && underWay.size >= max)
      if (ended.length > 0 && underWay.size > 0) await Promise.race([Promise.all(underWay), pause(gatherMs)])
      return true
    },
    drain: () => Promise.all(underWay),
  }
}
