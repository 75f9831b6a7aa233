import { createBell, pause } from '../platform/wait.ts'
import { type AttemptResult, attemptDelivery } from './attempt.ts'
import type { Keys, Message } from './messages.ts'
import type { Ended } from './turn.ts'

/** How often an endpoint with an attempt under way is looked at, for a wake that did not come to this process. */
const lookMs = 1000
/** How long what has ended waits for others that end, to be stored with them. */
const gatherMs = 3

/** The attempts to one endpoint that are under way in this process. */
export interface Slots {
  start(url: string, keys: Keys, message: Message): void
  used(): number
  /** What has ended since. */
  take(): Ended[]
  /** There may be more to claim. */
  wake(): void
  /**
   * Resolves when something has ended, or while fewer than `most` slots are used, at a wake or after a second.
   * @returns false: nothing is under way and nothing has ended
   */
  wait(max: number): Promise<boolean>
  /** Resolves when nothing is under way. */
  drain(): Promise<unknown>
}

export function createSlots(
  ctx: Parameters<typeof attemptDelivery>[0] & { observe: { attempted(outcome: AttemptResult['outcome'], seconds: number): void } },
): Slots {
  const bell = createBell()
  const underWay = new Set<Promise<void>>()
  let ended: Ended[] = []
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
      return taken
    },
    wake: () => bell.ring(),
    async wait(max) {
      if (underWay.size === 0) return ended.length > 0
      do {
        if (ended.length === 0) await bell.wait(lookMs)
        // Nothing can be claimed while every slot is taken.
      } while (ended.length === 0 && underWay.size >= max)
      if (ended.length > 0 && underWay.size > 0) await Promise.race([Promise.all(underWay), pause(gatherMs)])
      return true
    },
    drain: () => Promise.all(underWay),
  }
}
