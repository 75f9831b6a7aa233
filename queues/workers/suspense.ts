import type { Job } from 'bullmq'
import type { Db } from '../../src/platform/db.ts'
import type { OutboxJob } from '../../src/platform/jobs.ts'
import type { Log } from '../../src/platform/log.ts'
import { settleSuspense } from '../../src/suspense/settleSuspense.ts'

/** A payment that names no deposit was seen, confirmed or taken back. */
export function suspenseWorker(ctx: { db: Db; log: Log }) {
  return async (job: Job<OutboxJob<'suspense'>>): Promise<void> => {
    const settled = await settleSuspense(ctx, job.data)
    if (!settled) return
    const { payment, change } = settled
    if (change === 'credited')
      ctx.log.error({ ...payment, detectionId: job.data.detectionId }, 'money came that names no deposit: it waits in suspense')
    else ctx.log.warn({ ...payment, detectionId: job.data.detectionId }, 'money that waited in suspense was taken back by a fork')
  }
}
