import type { TransferSpec } from '../chains/action.ts'
import { assetsOf } from '../chains/registry.ts'
import type { Queryable, Tx } from '../platform/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { type IntentStatus, insertIntent } from '../txmgr/intents.ts'
import type { StakingContext } from './context.ts'
import { recordStakeEvent } from './recordStakeEvent.ts'
import { stakingAddress } from './stakingAddress.ts'
import { lockParts, netOf, readStakes, type Stake } from './storedStake.ts'

interface Paid {
  principal: bigint
  rewards: bigint
  status: IntentStatus
}

/**
 * Stores the payment of what is due of an unstaked stake, and that it is withdrawn once its payment is confirmed. Each part is paid by one intent; one
 * that has failed is left to the operator.
 * @returns true if it waits for the staking address or the chain
 */
export async function payStake(ctx: StakingContext, id: string): Promise<boolean> {
  const [named] = await readStakes(ctx.db, 'id = $1', [id])
  const chain = ctx.chains.find(({ name }) => name === named?.chain)
  const from = chain && (await stakingAddress(ctx.db, chain.family))
  if (!named || !chain || !from) return true
  const outcome = await ctx.db.tx(async (tx) => {
    const stake = (await lockParts(tx, named.rootId)).find((each) => each.id === id)
    if (!stake || stake.status === 'active' || stake.withdrawRequestedAt === null || stake.confirmedAt === null) return 'nothing'
    const payments = await paymentsOf(tx, id)
    await end(tx, stake, payments)
    const due = dueOf(stake, payments)
    if (due.principal + due.rewards === 0n) return 'nothing'
    const asset = assetsOf(chain).find(({ symbol }) => symbol === stake.token)
    if (!asset) return 'waits'
    const { symbol, contract, decimals } = asset
    const token = contract === null ? null : { contract, symbol, decimals }
    const amount = due.principal + due.rewards
    const action: TransferSpec = { kind: 'transfer', from, to: stake.from, token, amount, memo: null, gasPrice: null, gasLimit: null }
    const wanted = {
      businessId: null,
      purpose: 'stake-withdrawal',
      chain: chain.name,
      signer: 'staking',
      walletId: null,
      action,
      symbol,
      decimals,
    } as const
    const intent = await insertIntent(ctx, tx, wanted, 0, ctx.prover)
    await tx.query('insert into stake_payments (intent_id, stake_id, principal, rewards) values ($1, $2, $3, $4)', [
      intent.id,
      id,
      String(due.principal),
      String(due.rewards),
    ])
    return 'sent'
  })
  if (outcome === 'sent') failpoint('staking.payment-stored')
  return outcome === 'waits'
}

/** What no payment was made for yet. Rewards are due once the account of rewards has paid for them. */
function dueOf(stake: Stake, payments: readonly Paid[]): { principal: bigint; rewards: bigint } {
  const isPaid = (of: (each: Paid) => bigint) => payments.some((each) => of(each) > 0n)
  return {
    principal: isPaid(({ principal }) => principal) ? 0n : netOf(stake),
    rewards: !stake.rewardsBooked || isPaid(({ rewards }) => rewards) ? 0n : (stake.rewards ?? 0n),
  }
}

async function paymentsOf(db: Queryable, stakeId: string): Promise<Paid[]> {
  const rows = await db.query<{ principal: string; rewards: string; status: IntentStatus }>(
    `select p.principal::text as principal, p.rewards::text as rewards, i.status
     from stake_payments p join intents i on i.id = p.intent_id where p.stake_id = $1`,
    [stakeId],
  )
  return rows.map(({ principal, rewards, status }) => ({ principal: BigInt(principal), rewards: BigInt(rewards), status }))
}

/** Withdrawn: the payment of its net amount is confirmed, or there is none to pay. A fork takes that back. */
async function end(tx: Tx, stake: Stake, payments: readonly Paid[]): Promise<void> {
  const hasNothing = netOf(stake) === 0n && (stake.rewards ?? 0n) === 0n
  const first = payments.find(({ principal }) => principal > 0n) ?? (netOf(stake) === 0n ? payments[0] : undefined)
  const status = hasNothing || first?.status === 'confirmed' ? 'withdrawn' : 'unstaking'
  if (status === stake.status) return
  await tx.query("update stakes set status = $2, withdrawn_at = case $2::text when 'withdrawn' then now() end, updated_at = now() where id = $1", [
    stake.id,
    status,
  ])
  if (status === 'withdrawn') await recordStakeEvent(tx, stake.id, 'stake.withdrawn')
}
