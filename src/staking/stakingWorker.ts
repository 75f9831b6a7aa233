import type { JobHandler, WorkerContext } from '../capability.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import type { StakingContext } from './context.ts'
import { stepStake } from './stepStake.ts'

/** Takes stakes further: their transactions, their books, their payments. */
export function stakingWorker({ db, log, purposes, prover, chains, connectionOf }: WorkerContext): JobHandler<JobPayloads['staking']> {
  const reader = async (chain: string) => (await connectionOf(chain)).reader
  const sender = async (chain: string) => (await (await connectionOf(chain)).accounts()).sender
  const ctx: StakingContext = { db, log, purposes, prover, chains, reader, sender, pollMs: null }
  return { process: ({ stakeId }) => stepStake(ctx, stakeId) }
}
