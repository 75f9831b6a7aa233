import type { JobHandler, WorkerContext } from '../capability.ts'
import type { OutboxJob } from '../platform/jobs.ts'
import { createCollectionAlarms } from './alarms.ts'
import { settleWallet } from './settleWallet.ts'

/** Links what has come to watched wallets with the collections that it settles. */
export function settlementWorker({
  db,
  log,
  metrics,
}: Pick<WorkerContext, 'db' | 'log' | 'metrics'>): JobHandler<OutboxJob<'collection-settlement'>> {
  const ctx = { db, log, alarm: createCollectionAlarms(metrics) }
  return { process: (job) => settleWallet(ctx, job) }
}
