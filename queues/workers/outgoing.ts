import type { Job } from 'bullmq'
import type { OutgoingContext } from '../../src/outgoing/context.ts'
import { lookAtOutgoing } from '../../src/outgoing/look.ts'
import type { JobPayloads } from '../../src/platform/jobs.ts'

/** Reconciles an outgoing transaction that is due. */
export function outgoingWorker(ctx: OutgoingContext) {
  return (job: Job<JobPayloads['outgoing']>): Promise<void> => lookAtOutgoing(ctx, job.data.outgoingId)
}
