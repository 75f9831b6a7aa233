import { messageOf } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import { pause } from '../platform/wait.ts'
import { isInTrouble } from './claimBatch.ts'
import { type DeliveryContext, deliverDue } from './deliverDue.ts'

/** A job holds its queue place for at most this long; its deliveries continue without one. */
const placeMs = 1000

export interface DeliveryWorker {
  tracesRows: true
  /** Delivers to an endpoint that has deliveries due. */
  process(payload: JobPayloads['webhook-delivery']): Promise<void>
  /**
   * Starts a delivery without a job while this worker has places.
   * @param mayBegin false: only an endpoint in delivery is signalled
   * @returns true if the endpoint is in delivery
   */
  notified(endpointId: string, mayBegin: boolean): boolean
  /** Number of endpoints with deliveries running. */
  running(): number
  /** Resolves when no delivery runs. */
  drain(): Promise<void>
}

/**
 * Delivers to endpoints that were signalled. Queue places limit how many endpoints start at once, not how
 * many run: a slow or hanging endpoint, or one with a long backlog, gives up its place after a second and
 * from then on waits only for its receiver and for the database.
 * @param places how many endpoints may be in delivery for more to start without a job
 */
export function webhookDeliveryWorker(
  ctx: DeliveryContext,
  signal: AbortSignal,
  places: number,
): DeliveryWorker {
  const running = new Map<string, Promise<void>>()
  const deliver = async (endpointId: string): Promise<void> => {
    if (await ctx.bulkhead.refuses(endpointId, () => isInTrouble(ctx.db, endpointId))) return
    await deliverDue(ctx, endpointId, signal)
  }
  /** The rows bring the endpoint back. */
  const failed = (endpointId: string, error: unknown) =>
    ctx.log.warn({ endpointId, err: messageOf(error) }, 'delivery to an endpoint failed; it is retried')
  const begin = (endpointId: string): Promise<void> => {
    const delivering = deliver(endpointId).finally(() => running.delete(endpointId))
    running.set(endpointId, delivering)
    return delivering
  }
  const worker: DeliveryWorker = {
    tracesRows: true,
    running: () => running.size,
    notified(endpointId, mayBegin) {
      if (ctx.signals.ring(endpointId)) return true
      if (!mayBegin || running.has(endpointId) || running.size >= places || signal.aborted) return false
      failpoint('webhook-delivery.woken')
      void worker.process({ endpointId }).catch((error) => failed(endpointId, error))
      return true
    },
    async process({ endpointId }) {
      if (running.has(endpointId)) return void ctx.signals.ring(endpointId)
      const done = new AbortController()
      let left = false
      const delivering = begin(endpointId)
        // A job that has ended cannot fail any more.
        .catch((error) => {
          if (!left) throw error
          failed(endpointId, error)
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
  return worker
}
