import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import { storedPercent } from '../money/percent.ts'
import type { Intent, IntentStatus } from '../txmgr/intents.ts'
import { rewardsOf } from './rewards.ts'
import { netOf, type Stake } from './storedStake.ts'

/** `unknown` is pending, as for transfers. */
const transactionStatus: Record<IntentStatus, 'pending' | 'confirmed' | 'failed' | 'expired'> = {
  created: 'pending',
  signed: 'pending',
  broadcast: 'pending',
  unknown: 'pending',
  confirmed: 'confirmed',
  failed: 'failed',
  expired: 'expired',
}

/** The transaction that staked: that of the root. */
export type StakingTransaction = Pick<Intent, 'txId' | 'status'>

export type StakeView = ReturnType<typeof presentStake>

/**
 * Rewards in base units: those of the unstaking, or up to now. Native stakes: what the chain had paid at the
 * last read.
 */
export function earnedBy(
  stake: Pick<Stake, 'type' | 'rewards' | 'confirmedAt' | 'amount' | 'apy' | 'status'>,
  now: Date,
): bigint {
  if (stake.rewards !== null) return stake.rewards
  if (stake.type === 'native') return 0n
  if (stake.confirmedAt === null || stake.status !== 'active') return 0n
  return rewardsOf({
    amount: stake.amount,
    apy: storedPercent(stake.apy),
    from: stake.confirmedAt,
    until: now,
  })
}

/** A pooled stake can be withdrawn as soon as it is unstaked. */
const withdrawableFrom = ({ type, withdrawableAt, unstakedAt }: Stake): Date | null =>
  type === 'native' ? withdrawableAt : unstakedAt

/**
 * A stake as the API and its events show it: amounts in whole units.
 * @param withdrawn the transactions of its withdrawal
 */
export function presentStake(
  stake: Stake,
  transaction: StakingTransaction,
  withdrawn: readonly string[] = [],
  now = new Date(),
) {
  const { id, planId, chain, token, decimals, status, validator, reason } = stake
  const units = (amount: bigint) => formatUnits(amount, decimals)
  return {
    id,
    planId,
    type: stake.type,
    chain,
    token,
    amount: units(stake.amount),
    status,
    rewards: units(earnedBy(stake, now)),
    rewardsPending:
      stake.type === 'pooled' && status === 'withdrawn' && (stake.rewards ?? 0n) > 0n && !stake.rewardsBooked,
    penalty: stake.penalty === null ? null : units(stake.penalty),
    netAmount: stake.penalty === null ? null : units(netOf(stake)),
    lockedUntil: stake.lockedUntil.toISOString(),
    fromAddress: addressCodec(registeredChain(chain).family).display(stake.from),
    validator,
    rent: stake.rent === null ? null : units(stake.rent),
    // After a fork there is no account.
    chainState: stake.confirmedAt === null ? null : stake.chainState,
    withdrawableAt: withdrawableFrom(stake)?.toISOString() ?? null,
    txHash: transaction.txId,
    transactionStatus: transactionStatus[transaction.status],
    withdrawalTxHashes: withdrawn,
    reason,
    createdAt: stake.createdAt.toISOString(),
    confirmedAt: stake.confirmedAt?.toISOString() ?? null,
    unstakedAt: stake.unstakedAt?.toISOString() ?? null,
    withdrawnAt: stake.withdrawnAt?.toISOString() ?? null,
  }
}
