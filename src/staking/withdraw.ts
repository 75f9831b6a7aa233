import type { ConfiguredChain } from '../chains/registry.ts'
import { requireStoredChain } from '../chains/requireChain.ts'
import { formatUnits } from '../money/amount.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { invalidBody } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { alreadyRequested, notUnstaking } from './errors.ts'
import { netOf, type StakeStatus } from './storedStake.ts'
import { lockStake } from './unstake.ts'

export interface WithdrawRequest {
  stakeId: string
  chain: string
  /** Native stakes only. */
  fromPrivateKey?: string
}

export interface WithdrawView {
  id: string
  status: StakeStatus
  amount: string
  rewards: string
  /** Of the payment; null until it is signed. */
  txHash: string | null
}

/**
 * Requests that an unstaked stake is paid back to the address that staked. A worker sends it: the stake is
 * withdrawn when the payment is confirmed.
 * @param also runs in the transaction that stores it
 * @throws ApiError 400 naming the field, 404, 409 `stake_not_unstaking`, `withdrawal_requested`
 */
export async function withdraw(
  ctx: { db: Db; chains: readonly ConfiguredChain[] },
  businessId: string,
  { stakeId, fromPrivateKey, ...request }: WithdrawRequest,
  also: (tx: Tx, result: WithdrawView) => Promise<void>,
): Promise<WithdrawView> {
  const chain = requireStoredChain(ctx, request.chain)
  const view = await ctx.db.tx(async (tx) => {
    const stake = await lockStake(tx, businessId, stakeId)
    if (stake.chain !== chain.name)
      throw invalidBody({
        field: 'chain',
        message: `is not that of the stake, which is on ${stake.chain}`,
        code: 'not_possible',
      })
    if (stake.type === 'pooled' && fromPrivateKey !== undefined)
      throw invalidBody({
        field: 'fromPrivateKey',
        message: 'is for native stakes: the platform pays pooled ones',
        code: 'not_possible',
      })
    if (stake.status !== 'unstaking') throw notUnstaking(stake.status)
    if (stake.withdrawRequestedAt !== null) throw alreadyRequested()
    await tx.query(
      'update stakes set withdraw_requested_at = now(), next_at = now(), updated_at = now() where id = $1',
      [stakeId],
    )
    await tx.query("select pg_notify('cowry_staking', '')")
    const units = (amount: bigint) => formatUnits(amount, stake.decimals)
    const result = {
      id: stake.id,
      status: stake.status,
      amount: units(netOf(stake)),
      rewards: units(stake.rewards ?? 0n),
      txHash: null,
    }
    await also(tx, result)
    return result
  })
  failpoint('api.stake-withdrawal-requested')
  return view
}
