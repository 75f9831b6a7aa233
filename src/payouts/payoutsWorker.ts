import type { JobHandler, WorkerContext } from '../capability.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import type { OutflowsContext } from './context.ts'
import { createOutflowCounter } from './payoutMetrics.ts'
import { stepOutflow } from './stepOutflow.ts'

/** Takes outflows further. */
export function payoutsWorker(worker: WorkerContext): JobHandler<JobPayloads['payouts']> {
  const ctx = outflowsContext(worker)
  return { process: ({ outflowId }) => stepOutflow(ctx, outflowId) }
}

export function outflowsContext({ db, log, metrics, chains, connectionOf, purposes, prover, appKey, environment }: WorkerContext): OutflowsContext {
  return {
    db,
    log,
    chains,
    accountsOf: async (chain) => (await connectionOf(chain)).accounts(),
    purposes,
    environment,
    appKey,
    maker: { madeBy: 'worker', prover },
    partner: null,
    pollMs: null,
    observe: createOutflowCounter(metrics),
  }
}
