import type { JobHandler, WorkerContext } from '../capability.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import { type StakingContext, stepStake } from './stepStake.ts'

/** Takes stakes further: their transactions, their books, their payments. */
export function stakingWorker({ db, log, purposes, prover, chains, connectionOf }: WorkerContext): JobHandler<JobPayloads['staking']> {
  const reader = async (chain: string) => (await connectionOf(chain)).reader
  const nativeStaking: StakingContext['nativeStaking'] = async (name) => {
    if (!chains.some((chain) => chain.name === name)) return null
    return (await (await connectionOf(name)).accounts()).staking ?? null
  }
  const ctx: StakingContext = { db, log, purposes, prover, chains, reader, nativeStaking, pollMs: null }
  return { process: ({ stakeId }) => stepStake(ctx, stakeId) }
}
