import type { ConfiguredChain } from '../chains/registry.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import { requireStoredChain } from '../chains/requireChain.ts'
import type { Prover } from '../custody/proof.ts'
import { formatUnits } from '../money/amount.ts'
import { storedPercent } from '../money/percent.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { invalidBody, notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { asUuid, newId } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { parsePrivateKey } from '../wallets/storeWallet.ts'
import { bookParts } from './bookParts.ts'
import {
  aboveStake,
  notActive,
  notConfirmed,
  partBelowMinimum,
  restBelowMinimum,
  wrongKey,
} from './errors.ts'
import { readPlans } from './plan.ts'
import { recordStakeEvent } from './recordStakeEvent.ts'
import { penaltyOf, rewardsOf } from './rewards.ts'
import { unstakingMessage } from './stakeProof.ts'
import { insertStake, lockParts, readStakes, type Stake } from './storedStake.ts'

export interface UnstakeContext {
  db: Db
  chains: readonly ConfiguredChain[]
  prover: Prover
  /** The present time, unless it is left out. */
  now?: () => Date
}

export interface UnstakeRequest {
  stakeId: string
  chain: string
  fromPrivateKey: string
  /** Whole units; all if it is left out. */
  amountToUnstake?: string
}

export interface UnstakeView {
  id: string
  status: 'unstaking'
  unstakedAmount: string
  penalty: string
  netAmount: string
  rewards: string
  /** From then on it can be withdrawn. */
  withdrawableAt: string
  /** The stake that goes on; null: nothing is left. */
  remainingStakeId: string | null
  /** Native stakes: of the transaction that deactivates it. */
  txHash: string | null
}

/**
 * Ends a stake, or a part of it: the id is that of the part that leaves, and the rest goes on under a new
 * one. Rewards end at this moment, and penalty and rewards are fixed.
 * @param also runs in the transaction that stores it
 * @throws ApiError 400 naming the field, 404, 409 `stake_not_active`, `stake_not_confirmed`, 422
 * `wrong_staking_key`, `more_than_staked`,
 * `part_below_minimum`, `rest_below_minimum`
 */
export async function unstake(
  ctx: UnstakeContext,
  businessId: string,
  request: UnstakeRequest,
  also: (tx: Tx, result: UnstakeView) => Promise<void>,
): Promise<UnstakeView> {
  const chain = requireStoredChain(ctx, request.chain)
  const { address } = parsePrivateKey(chain, new Secret(request.fromPrivateKey), 'fromPrivateKey')
  const view = await ctx.db.tx(async (tx) => {
    const found = await lockStake(tx, businessId, request.stakeId)
    requireOfStaker(found, chain.name, address)
    if (found.status !== 'active') throw notActive(found.status)
    if (found.confirmedAt === null) throw notConfirmed()
    const amount = await amountOf(tx, found, request.amountToUnstake)
    const result = await end(ctx, tx, { ...found, confirmedAt: found.confirmedAt }, amount)
    await also(tx, result)
    return result
  })
  failpoint('api.stake-unstaked')
  return view
}

/** Locks all parts of a stake's transaction. @throws ApiError 404, also for a stake of another business */
export async function lockStake(tx: Tx, businessId: string, name: string): Promise<Stake> {
  const id = asUuid(name)
  const [named] = id === null ? [] : await readStakes(tx, 'id = $1 and business_id = $2', [id, businessId])
  const parts = named ? await lockParts(tx, named.rootId) : []
  const found = parts.find((part) => part.id === id && part.businessId === businessId)
  if (!found) throw notFound('Stake')
  return found
}

/** @throws ApiError 400 naming `chain`, 422 `wrong_staking_key` */
export function requireOfStaker({ chain, from }: Stake, named: string, address: string): void {
  if (chain !== named)
    throw invalidBody({
      field: 'chain',
      message: `is not that of the stake, which is on ${chain}`,
      code: 'not_possible',
    })
  if (address !== from) throw wrongKey()
}

/** Base units that leave. Neither part of a split may be below the plan's minimum. */
async function amountOf(
  tx: Tx,
  { amount, decimals, planId }: Stake,
  wanted: string | undefined,
): Promise<bigint> {
  if (wanted === undefined) return amount
  const units = requireAmount(wanted, decimals, 'amountToUnstake')
  if (units > amount) throw aboveStake(formatUnits(amount, decimals))
  const [plan] = await readPlans(tx, 'id = $1', [planId])
  const rest = amount - units
  if (rest > 0n && plan && units < plan.minAmount)
    throw partBelowMinimum(formatUnits(plan.minAmount, decimals))
  if (rest > 0n && plan && rest < plan.minAmount)
    throw restBelowMinimum(formatUnits(plan.minAmount, decimals))
  return units
}

async function end(
  { prover, now = () => new Date() }: UnstakeContext,
  tx: Tx,
  stake: Stake & { confirmedAt: Date },
  amount: bigint,
): Promise<UnstakeView> {
  const { id, rootId, businessId, confirmedAt, decimals, lockedUntil } = stake
  const unstakedAt = now()
  const penalty = penaltyOf({
    amount,
    percent: storedPercent(stake.penaltyPercent),
    lockedUntil,
    at: unstakedAt,
  })
  const rewards = rewardsOf({ amount, apy: storedPercent(stake.apy), from: confirmedAt, until: unstakedAt })
  const remainingStakeId = amount < stake.amount ? newId() : null
  if (remainingStakeId !== null)
    await insertStake(tx, { ...stake, id: remainingStakeId, amount: stake.amount - amount })
  const proof = prover.prove(
    unstakingMessage({ id, rootId, businessId, amount, earnedFrom: confirmedAt, unstakedAt }),
  )
  await tx.query(
    `update stakes set status = 'unstaking', amount = $2, unstaked_at = $3, unstake_proof = $4, penalty = $5, rewards = $6, earned_from = $7,
       updated_at = now() where id = $1`,
    [id, String(amount), unstakedAt, proof, String(penalty), String(rewards), confirmedAt],
  )
  const isFunded = await bookParts(tx, rootId)
  // Its rewards are booked as soon as the operator has funded them.
  if (!isFunded) await tx.query('update stakes set next_at = now() where id = $1', [id])
  await recordStakeEvent(tx, id, 'stake.unstaking')
  const units = (of: bigint) => formatUnits(of, decimals)
  return {
    id,
    status: 'unstaking',
    unstakedAmount: units(amount),
    penalty: units(penalty),
    netAmount: units(amount - penalty),
    rewards: units(rewards),
    withdrawableAt: unstakedAt.toISOString(),
    remainingStakeId,
    txHash: null,
  }
}
