import type { Job } from 'bullmq'
import { messageOf } from '../../src/platform/errors.ts'
import type { JobPayloads } from '../../src/platform/jobs.ts'
import { pause } from '../../src/platform/wait.ts'
import { type DeliveryContext, deliverDue } from '../../src/webhooks/deliverDue.ts'
import { isInTrouble } from '../../src/webhooks/turn.ts'

/** A job holds its place in the queue for so long at most; what it began goes on without one. */
const placeMs = 1000

export interface DeliveryWorker {
  /** An endpoint has deliveries due. */
  process(job: Pick<Job<JobPayloads['webhook-delivery']>, 'data'>): Promise<void>
  /** How many endpoints are delivered to now. */
  running(): number
  /** Resolves when nothing that was begun goes on. */
  drain(): Promise<void>
}

/**
 * Delivers to endpoints that were woken. Places bound how many are begun at once, not how many go on: an endpoint that is slow, that hangs
 * or that has a long backlog gives its place to others after a second, and from then on waits for its receiver and its turn at the database
 * alone.
 */
export function webhookDeliveryWorker(ctx: DeliveryContext, signal: AbortSignal): DeliveryWorker {
  const running = new Map<string, Promise<void>>()
  const deliver = async (endpointId: string): Promise<void> => {
    if (await ctx.bulkhead.turnsAway(endpointId, () => isInTrouble(ctx.db, endpointId))) return
    await deliverDue(ctx, endpointId, signal)
  }
  const begin = (endpointId: string): Promise<void> => {
    const delivering = deliver(endpointId).finally(() => running.delete(endpointId))
    running.set(endpointId, delivering)
    return delivering
  }
  return {
    running: () => running.size,
    async process({ data: { endpointId } }) {
      if (running.has(endpointId)) return ctx.signals.ring(endpointId)
      const done = new AbortController()
      let left = false
      const delivering = begin(endpointId)
        // The rows bring it back; a job that has ended cannot fail any more.
        .catch((error) => {
          if (!left) throw error
          ctx.log.warn({ endpointId, err: messageOf(error) }, 'an endpoint could not be delivered to for now')
        })
        .finally(() => done.abort())
      await Promise.race([delivering, pause(placeMs, done.signal)])
      left = true
      return undefined
    },
    async drain() {
      await Promise.allSettled(running.values())
    },
  }
}
