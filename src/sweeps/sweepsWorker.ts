import type { JobHandler, WorkerContext } from '../capability.ts'
import { sweepActions } from '../chains/sweepActions.ts'
import { transferBuilder } from '../chains/transferBuilders.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import type { SweepingChain, SweepsContext } from './context.ts'
import { readDue } from './dueSweeps.ts'
import { planSource } from './planSource.ts'
import { costRules, sweepSettings } from './settings.ts'
import { stepSweep } from './stepSweep.ts'
import { createSweepCounter } from './sweepMetrics.ts'

/** Plans the sweeps of addresses that are due, and takes sweeps further. */
export function sweepsWorker(worker: WorkerContext): JobHandler<JobPayloads['sweeps']> {
  const { db, log, purposes, prover, metrics, chains } = worker
  const { SWEEP_MAX_COST_SHARE, SWEEP_COIN_USD } = worker.settings(sweepSettings)
  const ctx: SweepsContext = {
    db,
    log,
    purposes,
    prover,
    sweeping: sweepingChains(worker),
    costs: costRules(SWEEP_MAX_COST_SHARE, SWEEP_COIN_USD),
    pollMs: null,
    observe: createSweepCounter(metrics, chains),
  }
  return {
    tracesRows: true,
    async process({ due }) {
      const read = readDue(due)
      await ('sweepId' in read ? stepSweep(ctx, read.sweepId) : planSource(ctx, read))
    },
  }
}

/** Opens the chains that are swept, at first use. */
export function sweepingChains({
  chains,
  connectionOf,
}: Pick<WorkerContext, 'chains' | 'connectionOf'>): SweepsContext['sweeping'] {
  const opened = new Map<string, Promise<SweepingChain | null>>()
  const open = async (name: string): Promise<SweepingChain | null> => {
    const chain = chains.find((each) => each.name === name)
    // Its nodes were taken out of the configuration: its sweeps wait.
    if (!chain) return null
    const actions = await sweepActions(chain)
    const { balances, sender, sweeps } = await (await connectionOf(name)).accounts()
    return actions && sweeps
      ? { chain, actions, reader: sweeps, balances, sender, builder: await transferBuilder(chain) }
      : null
  }
  return (name) => {
    const found = opened.get(name) ?? open(name)
    opened.set(name, found)
    // Retry a failed one at the next call.
    found.catch(() => opened.delete(name))
    return found
  }
}
