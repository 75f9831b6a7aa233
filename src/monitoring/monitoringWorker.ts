import type { JobHandler, WorkerContext } from '../capability.ts'
import { createOneByOne } from '../platform/database/oneByOne.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { publishTransactionEvents } from './publishTransactionEvents.ts'

/** Publishes events for detections of monitored addresses. */
export function monitoringWorker({
  db,
  chains,
  log,
  connectionOf,
}: Pick<WorkerContext, 'db' | 'chains' | 'log' | 'connectionOf'>): JobHandler<OutboxJob<'monitoring'>> {
  const accountsOf = async (chain: string) => (await connectionOf(chain)).accounts()
  const recording = { db, chains, oneByOne: createOneByOne(), accountsOf }
  return {
    async process(job) {
      const events = await publishTransactionEvents(recording, job)
      if (events.length > 0)
        log.info(
          { businessId: job.businessId, reason: job.reason, events: events.length },
          'detections published',
        )
    },
  }
}
