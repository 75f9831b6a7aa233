import type { JobHandler, WorkerContext } from '../capability.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { settleSuspense } from './settleSuspense.ts'

/** Records a payment without a session that was seen, confirmed or reverted. */
export function suspenseWorker({
  db,
  log,
}: Pick<WorkerContext, 'db' | 'log'>): JobHandler<OutboxJob<'suspense'>> {
  return {
    async process(job) {
      const settled = await settleSuspense({ db }, job)
      if (!settled) return
      const { payment, change } = settled
      if (change === 'credited')
        log.error(
          { ...payment, detectionId: job.detectionId },
          'a payment names no session: it is held in suspense',
        )
      else
        log.warn(
          { ...payment, detectionId: job.detectionId },
          'a payment in suspense was reverted by a reorg',
        )
    },
  }
}
