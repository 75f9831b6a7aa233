import type { JobHandler, WorkerContext } from '../capability.ts'
import { createTurns } from '../partnerPayments/partnerTurns.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import { createCollectionAlarms } from './alarms.ts'
import { type StepContext, stepCollection } from './stepCollection.ts'

/** Reads due collections from the partner. Without a partner they wait. */
export function collectionsWorker(worker: WorkerContext): JobHandler<JobPayloads['fiat-status-sync']> {
  const ctx = collectionsContext(worker)
  return {
    tracesRows: true,
    process: async ({ collectionId }) => (ctx ? stepCollection(ctx, collectionId) : undefined),
  }
}

/** Null without a partner. */
export function collectionsContext({
  db,
  log,
  appKey,
  metrics,
  partner,
  stopping,
  environment,
}: WorkerContext): StepContext | null {
  if (!partner) return null
  const { collections } = partner
  const turn = createTurns(db, collections.name, stopping)
  return {
    db,
    log,
    appKey,
    partner: collections,
    alarm: createCollectionAlarms(metrics),
    turn,
    pollMs: null,
    environment,
  }
}
