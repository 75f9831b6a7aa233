import type { Job } from 'bullmq'
import type { Caps } from '../../src/limits/caps.ts'
import { storeAddition } from '../../src/monitoring/storeAddition.ts'
import type { Db } from '../../src/platform/db.ts'
import type { OutboxJob } from '../../src/platform/jobs.ts'
import type { Log } from '../../src/platform/log.ts'

/** Many addresses are to be monitored. */
export function additionsWorker(ctx: { db: Db; caps: Pick<Caps, 'monitoredAddresses'>; log: Log }) {
  return async (job: Job<OutboxJob<'additions'>>): Promise<void> => {
    const outcome = await storeAddition(ctx, job.data)
    ctx.log.info({ addition: job.data.additionId, outcome }, 'addresses were added')
  }
}
