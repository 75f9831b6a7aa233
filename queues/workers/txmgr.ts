import type { Job } from 'bullmq'
import type { JobPayloads } from '../../src/platform/jobs.ts'
import type { TxManagerContext } from '../../src/txmgr/context.ts'
import { reconcileIntent } from '../../src/txmgr/reconcile.ts'

/** Reconciles an intent that is due. */
export function txmgrWorker(ctx: TxManagerContext) {
  return (job: Job<JobPayloads['txmgr']>): Promise<void> => reconcileIntent(ctx, job.data.intentId)
}
