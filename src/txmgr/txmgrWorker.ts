import type { JobHandler, WorkerContext } from '../capability.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import { reconcileIntent } from './reconcile.ts'
import { sendingChains } from './sendingChains.ts'
import { txmgrSettings } from './settings.ts'
import { createTxManagerMetrics } from './txManagerMetrics.ts'

/** Reconciles intents that are due. */
export function txmgrWorker({
  db,
  log,
  metrics,
  chains,
  connectionOf,
  environment,
  purposes,
  prover,
  settings,
}: WorkerContext): JobHandler<JobPayloads['txmgr']> {
  const values = settings(txmgrSettings.worker)
  const ctx = {
    db,
    log,
    sendingChain: sendingChains(chains, connectionOf),
    purposes,
    settings,
    prover,
    reconcileMs: values.TXMGR_RECONCILE_MS ?? null,
    bumpAfterMs: values.TXMGR_BUMP_AFTER_MS ?? null,
    unminableMs: values.TXMGR_UNMINABLE_MS,
    feeWaitMs: values.TXMGR_FEE_WAIT_MS,
    environment,
    observe: createTxManagerMetrics(metrics, chains),
  }
  return { tracesRows: true, process: ({ intentId }) => reconcileIntent(ctx, intentId) }
}
