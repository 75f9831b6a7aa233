import type { ConfiguredChain } from '../../chains/registry.ts'
import { requireChain } from '../../chains/requireChain.ts'
import { stakeRewards } from '../../chains/staking.ts'
import { formatUnits } from '../../money/amount.ts'
import type { Queryable, Tx } from '../../platform/database/db.ts'
import { invalidBody } from '../../platform/errors.ts'
import { Secret } from '../../platform/secrets.ts'
import type { KeyFailpoints } from '../../txmgr/signNow.ts'
import { parsePrivateKey } from '../../wallets/storeWallet.ts'
import { alreadyRequested, notUnstaking } from '../errors.ts'
import type { Stake } from '../storedStake.ts'
import { lockStake, requireOfStaker } from '../unstake.ts'
import type { WithdrawRequest, WithdrawView } from '../withdraw.ts'
import { unknownUnstaking } from './nativeErrors.ts'
import { getOwnStake } from './nativeStakes.ts'
import { type NativeContext, sendNative } from './sendNative.ts'
import { insertMove, isOpen, readMoves } from './stakeMoves.ts'

const points: KeyFailpoints = {
  claimed: 'api.native-withdrawal-claimed',
  signed: 'api.native-withdrawal-signed',
  sent: 'api.native-withdrawal-sent',
  recorded: 'api.native-withdrawal-recorded',
}

/**
 * Pays all that the account of a native stake holds to its owner, with the owner's key: the amount, its rent,
 * and what the chain has paid on it. If the transaction fails or expires, it can be requested again.
 * @param also runs in the transaction that stores it
 * @throws ApiError 400 naming the field, 404, 409, 422 with the reason why nothing was sent; 503
 */
export async function withdrawNative(
  ctx: NativeContext & { chains: readonly ConfiguredChain[] },
  businessId: string,
  { stakeId, fromPrivateKey, ...request }: WithdrawRequest,
  also: (tx: Tx, result: WithdrawView) => Promise<void>,
): Promise<WithdrawView> {
  const chain = requireChain(ctx, request.chain)
  const { db } = ctx.txmgr
  const found = await getOwnStake(db, businessId, stakeId)
  if (fromPrivateKey === undefined)
    throw invalidBody({ field: 'fromPrivateKey', message: 'is required for native stakes', code: 'required' })
  const { address: from, privateKey: key } = parsePrivateKey(
    chain,
    new Secret(fromPrivateKey),
    'fromPrivateKey',
  )
  requireOfStaker(found, chain.name, from)
  const { id, decimals } = found
  await requireWithdrawable(db, found)
  const send = {
    chain,
    businessId,
    purpose: 'native-withdrawal',
    from,
    key,
    points,
    amountField: 'amount',
  } as const
  const results: WithdrawView[] = []
  await sendNative(
    ctx,
    send,
    async (staking) => {
      await requireWithdrawable(db, await getOwnStake(db, businessId, id))
      return staking.withdraw({ id, from })
    },
    async (tx, { id: intentId, txId }, { lamports }) => {
      const stake = await lockStake(tx, businessId, id)
      await requireWithdrawable(tx, stake)
      const { amount, rent } = stake
      const rewards = stakeRewards({ lamports }, { amount, rent: rent ?? 0n })
      await insertMove(tx, {
        intentId,
        stakeId: id,
        kind: 'withdrawal',
        restId: null,
        restAmount: null,
        amount: lamports,
      })
      await tx.query(
        'update stakes set withdraw_requested_at = now(), rewards = $2, updated_at = now() where id = $1',
        [id, String(rewards)],
      )
      const units = (of: bigint) => formatUnits(of, decimals)
      const result: WithdrawView = {
        id,
        status: 'unstaking',
        amount: units(amount),
        rewards: units(rewards),
        txHash: txId,
      }
      await also(tx, result)
      results.push(result)
    },
  )
  const [result] = results
  if (!result) throw new Error('nothing was stored')
  return result
}

/** @throws ApiError 409 `stake_not_unstaking`, `withdrawal_requested`, `unstaking_pending` */
async function requireWithdrawable(db: Queryable, { id, status, withdrawRequestedAt }: Stake): Promise<void> {
  if (status !== 'unstaking') throw notUnstaking(status)
  if (withdrawRequestedAt !== null) throw alreadyRequested()
  const moves = await readMoves(db, id)
  // Its amount is not known before.
  if (moves.some(isOpen)) throw unknownUnstaking()
}
