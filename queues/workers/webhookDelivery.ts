import type { Job } from 'bullmq'
import type { JobPayloads } from '../../src/platform/jobs.ts'
import { type DeliveryContext, deliverDue } from '../../src/webhooks/deliverDue.ts'

/** An endpoint has deliveries due. */
export function webhookDeliveryWorker(ctx: DeliveryContext, signal: AbortSignal) {
  return (job: Job<JobPayloads['webhook-delivery']>): Promise<void> => deliverDue(ctx, job.data.endpointId, signal)
}
