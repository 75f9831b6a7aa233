import type { JobHandler, WorkerContext } from '../capability.ts'
import { bridgeActions } from '../chains/bridgeActions.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import { createBridgeCounter } from './bridgeMetrics.ts'
import type { BridgeContext, BridgingChain } from './context.ts'
import { bridgeWorkerSettings } from './settings.ts'
import { stepBridge } from './stepBridge.ts'

/** Follows bridge transfers from their burn to their mint. */
export function bridgeWorker(worker: WorkerContext): JobHandler<JobPayloads['bridge-tracking']> {
  const { db, log, purposes, prover, attestations, metrics } = worker
  const values = worker.settings(bridgeWorkerSettings)
  const first = values.BRIDGE_FIRST_QUESTION_SECONDS
  const ctx: BridgeContext = {
    ...{ db, log, purposes, prover, attestations },
    bridging: (name) => open(worker, name),
    firstQuestionMs: first === undefined ? null : first * 1000,
    pollMs: values.BRIDGE_POLL_SECONDS * 1000,
    forwardMs: values.BRIDGE_FORWARD_SECONDS * 1000,
    observe: createBridgeCounter(metrics, worker.chains),
  }
  return { tracesRows: true, process: ({ transferId }) => stepBridge(ctx, transferId) }
}

async function open(
  { chains, connectionOf }: Pick<WorkerContext, 'chains' | 'connectionOf'>,
  name: string,
): Promise<BridgingChain | null> {
  const chain = chains.find((each) => each.name === name)
  if (!chain) return null
  const actions = await bridgeActions(chain)
  const { bridge } = await (await connectionOf(name)).accounts()
  return actions && bridge ? { chain, actions, reader: bridge } : null
}
