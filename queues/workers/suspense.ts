import type { Job } from 'bullmq'
import type { Db } from '../../src/platform/db.ts'
import type { OutboxJob } from '../../src/platform/jobs.ts'
import type { Log } from '../../src/platform/log.ts'
import { settleSuspense } from '../../src/suspense/settleSuspense.ts'

/** Records a payment without a session that was seen, confirmed or reverted. */
export function suspenseWorker(ctx: { db: Db; log: Log }) {
  return async (job: Job<OutboxJob<'suspense'>>): Promise<void> => {
    const settled = await settleSuspense(ctx, job.data)
    if (!settled) return
    const { payment, change } = settled
    if (change === 'credited') ctx.log.error({ ...payment, detectionId: job.data.detectionId }, 'a payment names no session: it is held in suspense')
    else ctx.log.warn({ ...payment, detectionId: job.data.detectionId }, 'a payment in suspense was reverted by a reorg')
  }
}
