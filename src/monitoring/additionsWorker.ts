import type { JobHandler, WorkerContext } from '../capability.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { monitoringSettings } from './settings.ts'
import { storeAddition } from './storeAddition.ts'

/** Stores the addresses of one addition. */
export function additionsWorker({
  db,
  log,
  settings,
}: Pick<WorkerContext, 'db' | 'log' | 'settings'>): JobHandler<OutboxJob<'additions'>> {
  const { CAP_MONITORED_ADDRESSES, BULK_CALLS_AT_ONCE } = settings(monitoringSettings.worker)
  const ctx = {
    db,
    log,
    caps: { monitoredAddresses: CAP_MONITORED_ADDRESSES },
    bulkCallsAtOnce: BULK_CALLS_AT_ONCE,
  }
  return {
    async process(job) {
      const outcome = await storeAddition(ctx, job)
      log.info({ addition: job.additionId, outcome }, 'addition processed')
    },
  }
}
