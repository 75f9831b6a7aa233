import type { JobHandler, WorkerContext } from '../capability.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import type { OutflowsContext } from './context.ts'
import { createPartnerFunds, type OutflowPartner } from './outflowPartner.ts'
import { createPartnerAlarms } from './partnerMetrics.ts'
import { startScreening } from './startScreening.ts'
import { stepOutflow } from './stepOutflow.ts'

/** Takes outflows further. */
export function payoutsWorker(worker: WorkerContext): JobHandler<JobPayloads['payouts']> {
  const ctx = outflowsContext(worker)
  return { process: ({ outflowId }) => stepOutflow(ctx, outflowId) }
}

export function outflowsContext(worker: WorkerContext): OutflowsContext {
  const { db, log, chains, purposes, prover, appKey, environment } = worker
  return {
    db,
    log,
    chains,
    purposes,
    environment,
    appKey,
    maker: { madeBy: 'worker', prover },
    partner: partnerOf(worker),
    screening: startScreening(worker),
    pollMs: null,
    observe: () => {},
  }
}

function partnerOf({ db, partner, metrics }: Pick<WorkerContext, 'db' | 'partner' | 'metrics'>): OutflowPartner | null {
  if (!partner) return null
  const { payments, rates } = partner
  return { payments, rates, funds: createPartnerFunds(db, payments), alarm: createPartnerAlarms(metrics) }
}
