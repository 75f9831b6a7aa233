import type { ConfiguredChain } from '../../chains/registry.ts'
import { requireAmount } from '../../chains/requireAmount.ts'
import { requireChain } from '../../chains/requireChain.ts'
import type { PreparedUnstake } from '../../chains/staking.ts'
import { formatUnits } from '../../money/amount.ts'
import type { Tx } from '../../platform/database/db.ts'
import { newId } from '../../platform/ids.ts'
import { Secret } from '../../platform/secrets.ts'
import type { Intent } from '../../txmgr/intents.ts'
import type { KeyFailpoints } from '../../txmgr/signNow.ts'
import { parsePrivateKey } from '../../wallets/storeWallet.ts'
import { aboveStake, notActive, notConfirmed } from '../errors.ts'
import { insertStake, type Stake } from '../storedStake.ts'
import { lockStake, requireOfStaker, type UnstakeRequest, type UnstakeView } from '../unstake.ts'
import { getOwnStake } from './nativeStakes.ts'
import { type NativeContext, sendNative } from './sendNative.ts'
import { insertMove } from './stakeMoves.ts'

const points: KeyFailpoints = {
  claimed: 'api.native-unstake-claimed',
  signed: 'api.native-unstake-signed',
  sent: 'api.native-unstake-sent',
  recorded: 'api.native-unstake-recorded',
}

/**
 * Deactivates a native stake, or a part of it, with the key of its owner. The part keeps its account; the
 * rest moves to that of a new stake, which has a rent of its own and takes the rewards. If the transaction
 * fails or expires, all is as before.
 * @param also runs in the transaction that stores it
 * @throws ApiError 400 naming the field, 404, 409, 422 with the reason why nothing was sent; 503
 */
export async function unstakeNative(
  ctx: NativeContext & { chains: readonly ConfiguredChain[] },
  businessId: string,
  request: UnstakeRequest,
  also: (tx: Tx, result: UnstakeView) => Promise<void>,
): Promise<UnstakeView> {
  const chain = requireChain(ctx, request.chain)
  const { address: from, privateKey: key } = parsePrivateKey(
    chain,
    new Secret(request.fromPrivateKey),
    'fromPrivateKey',
  )
  const found = await getOwnStake(ctx.txmgr.db, businessId, request.stakeId)
  requireOfStaker(found, chain.name, from)
  const { id } = found
  const { decimals } = chain.native
  const wanted =
    request.amountToUnstake === undefined
      ? null
      : requireAmount(request.amountToUnstake, decimals, 'amountToUnstake')
  requireUnstakable(found, wanted)
  const restId = newId()
  const send = {
    chain,
    businessId,
    purpose: 'native-unstake',
    from,
    key,
    points,
    amountField: 'amountToUnstake',
  } as const
  const results: UnstakeView[] = []
  await sendNative(
    ctx,
    send,
    async (staking) => {
      const { amount, part } = requireUnstakable(await getOwnStake(ctx.txmgr.db, businessId, id), wanted)
      return {
        ...(await staking.unstake({ id, from, part: part === null ? null : { amount: part, restId } })),
        amount,
        part,
      }
    },
    async (tx, intent, prepared) => {
      const stake = await lockStake(tx, businessId, id)
      const now = requireUnstakable(stake, wanted)
      // Another request has split it since the chain was read.
      if (now.amount !== prepared.amount || now.part !== prepared.part) throw notActive('unstaking')
      const result = await store(tx, stake, { ...prepared, intent, restId })
      await also(tx, result)
      results.push(result)
    },
  )
  const [result] = results
  if (!result) throw new Error('nothing was stored')
  return result
}

/**
 * @returns what there is of the stake, and the part that leaves; null: all of it
 * @throws ApiError 409 `stake_not_active`, `stake_not_confirmed`, 422 `more_than_staked`
 */
function requireUnstakable(
  { status, confirmedAt, amount, decimals }: Stake,
  wanted: bigint | null,
): { amount: bigint; part: bigint | null } {
  if (status !== 'active') throw notActive(status)
  if (confirmedAt === null) throw notConfirmed()
  if (wanted !== null && wanted > amount) throw aboveStake(formatUnits(amount, decimals))
  return { amount, part: wanted === null || wanted === amount ? null : wanted }
}

type Unstaking = PreparedUnstake & { intent: Intent; restId: string; part: bigint | null }

async function store(
  tx: Tx,
  stake: Stake,
  { intent, restId, part, rest, withdrawableAt }: Unstaking,
): Promise<UnstakeView> {
  const { id, decimals } = stake
  const amount = part ?? stake.amount
  const remainingStakeId = rest === null ? null : restId
  const restAmount = stake.amount - amount
  const rewards = rest === null ? (stake.rewards ?? 0n) : 0n
  if (rest) {
    const earned = rest.delegated - restAmount
    await insertStake(tx, {
      ...stake,
      ...{
        id: restId,
        amount: restAmount,
        rent: rest.rent,
        rewards: earned > 0n ? earned : 0n,
        confirmedAt: null,
      },
    })
  }
  const split = { restId: remainingStakeId, restAmount: rest === null ? null : restAmount }
  await insertMove(tx, { intentId: intent.id, stakeId: id, kind: 'unstake', ...split, amount: null })
  const unstakedAt = new Date()
  await tx.query(
    `update stakes set status = 'unstaking', amount = $2, unstaked_at = $3, penalty = 0, rewards = $4, withdrawable_at = $5, updated_at = now()
     where id = $1`,
    [id, String(amount), unstakedAt, String(rewards), withdrawableAt],
  )
  const units = (of: bigint) => formatUnits(of, decimals)
  return {
    id,
    status: 'unstaking',
    unstakedAmount: units(amount),
    penalty: '0',
    netAmount: units(amount),
    rewards: units(rewards),
    withdrawableAt: withdrawableAt.toISOString(),
    remainingStakeId,
    txHash: intent.txId,
  }
}
