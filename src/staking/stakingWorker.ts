import type { JobHandler, WorkerContext } from '../capability.ts'
import { registeredChain } from '../chains/registry.ts'
import type { JobPayloads } from '../platform/jobs.ts'
import { fillGap } from '../txmgr/fillGap.ts'
import type { Intent } from '../txmgr/intents.ts'
import { sendingChains } from '../txmgr/sendingChains.ts'
import type { StakingContext } from './context.ts'
import { checkAhead } from './native/checkAhead.ts'
import { stepStake } from './stepStake.ts'

/** Takes stakes further: their transactions, their books, their payments. */
export function stakingWorker({
  db,
  log,
  purposes,
  prover,
  chains,
  connectionOf,
  environment,
}: WorkerContext): JobHandler<JobPayloads['staking']> {
  const reader = async (chain: string) => (await connectionOf(chain)).reader
  const readers = new Map<string, ReturnType<typeof checkAhead>>()
  const nativeStaking: StakingContext['nativeStaking'] = async (name) => {
    if (!chains.some((chain) => chain.name === name)) return null
    const staking = (await (await connectionOf(name)).accounts()).staking
    if (!staking) return null
    const read = readers.get(name) ?? checkAhead(db, name, staking)
    readers.set(name, read)
    return read
  }
  const sender = async (chain: string) => (await (await connectionOf(chain)).accounts()).sender
  const sendingChain = sendingChains(chains, connectionOf)
  const filling = { db, log, purposes, prover, environment, observe: () => {} }
  const fillNonce = async (payment: Intent, nonce: bigint) => {
    const { family } = registeredChain(payment.chain)
    if (family === 'evm') await fillGap(filling, await sendingChain(payment.chain), payment, nonce)
  }
  const ctx: StakingContext = {
    db,
    log,
    purposes,
    prover,
    chains,
    reader,
    sender,
    nativeStaking,
    fillNonce,
    pollMs: null,
  }
  return { tracesRows: true, process: ({ stakeId }) => stepStake(ctx, stakeId) }
}
