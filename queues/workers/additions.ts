import type { Job } from 'bullmq'
import { storeAddition } from '../../src/monitoring/storeAddition.ts'
import type { MonitoringCaps } from '../../src/monitoring/storeMonitoring.ts'
import type { Db } from '../../src/platform/db.ts'
import type { OutboxJob } from '../../src/platform/jobs.ts'
import type { Log } from '../../src/platform/log.ts'

/** Stores the addresses of one addition. */
export function additionsWorker(ctx: MonitoringCaps & { db: Db; log: Log }) {
  return async (job: Job<OutboxJob<'additions'>>): Promise<void> => {
    const outcome = await storeAddition(ctx, job.data)
    ctx.log.info({ addition: job.data.additionId, outcome }, 'addition processed')
  }
}
