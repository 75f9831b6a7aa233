import type { JobHandler, WorkerContext } from '../capability.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import type { OutflowsContext } from './context.ts'
import { startScreening } from './startScreening.ts'
import { stepOutflow } from './stepOutflow.ts'

/** Takes outflows further. */
export function payoutsWorker(worker: WorkerContext): JobHandler<JobPayloads['payouts']> {
  const ctx = outflowsContext(worker)
  return { process: ({ outflowId }) => stepOutflow(ctx, outflowId) }
}

export function outflowsContext({ db, log, chains, purposes, prover, appKey, environment, settings, onStop }: WorkerContext): OutflowsContext {
  return {
    db,
    log,
    chains,
    purposes,
    environment,
    appKey,
    maker: { madeBy: 'worker', prover },
    partner: null,
    screening: startScreening({ settings, onStop }),
    pollMs: null,
    observe: () => {},
  }
}
