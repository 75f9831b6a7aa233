import type { TransferSpec } from '../chains/action.ts'
import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import type { Tx } from '../platform/database/db.ts'
import { failpoint } from '../platform/failpoints.ts'
import { insertIntent } from '../txmgr/intents.ts'
import type { StakingContext } from './context.ts'
import { type DuePayment, duePayment, isLeftToOperator, isUnpaid } from './duePayment.ts'
import { type GoneUnpaid, goneUnpaid } from './goneUnpaid.ts'
import { type Payment, readPayments } from './payments.ts'
import { recordStakeEvent } from './recordStakeEvent.ts'
import { replacementMessage } from './stakeProof.ts'
import { stakingAddress } from './stakingAddress.ts'
import { lockParts, netOf, readStakes, type Stake } from './storedStake.ts'

const retryMs = 15_000
/** Until the next step of a stake. `left`: to the operator. */
const waitMs = { sent: null, nothing: null, waits: retryMs, left: 600_000 } as const

/**
 * Stores the payment of what is due of an unstaked stake, and that it is withdrawn once its payment is
 * confirmed. A payment that can never be mined is replaced once.
 * @returns in how many ms to try again, if it waits for the staking address, for the end of a payment that
 * has failed, or for the operator; null otherwise
 * @throws ProviderError
 */
export async function payStake(ctx: StakingContext, id: string): Promise<number | null> {
  const [named] = await readStakes(ctx.db, 'id = $1', [id])
  const chain = ctx.chains.find(({ name }) => name === named?.chain)
  const from = chain && (await stakingAddress(ctx.db, chain.family))
  if (!named || !chain || !from) return retryMs
  const gone = await goneOf(ctx, await readPayments(ctx.db, id))
  const outcome = await ctx.db.tx(async (tx) => {
    const stake = (await lockParts(tx, named.rootId)).find((each) => each.id === id)
    if (
      !stake ||
      stake.status === 'active' ||
      stake.withdrawRequestedAt === null ||
      stake.confirmedAt === null
    )
      return 'nothing'
    const payments = await readPayments(tx, id)
    await end(tx, stake, payments)
    const due = duePayment(stake, payments, new Set(gone.keys()))
    if (due.principal + due.rewards === 0n) return waitFor(stake, payments)
    return (await store(ctx, tx, { stake, chain, from }, due, gone)) ? 'sent' : 'waits'
  })
  if (outcome === 'sent') failpoint('staking.payment-stored')
  return waitMs[outcome]
}

const waitFor = (stake: Stake, payments: readonly Payment[]) => {
  if (isLeftToOperator(stake, payments)) return 'left'
  return isUnpaid(stake, payments) ? 'waits' : 'nothing'
}

/** Signed payments that the chain can never include, by intent. */
async function goneOf(ctx: StakingContext, payments: readonly Payment[]): Promise<Map<string, GoneUnpaid>> {
  const found = new Map<string, GoneUnpaid>()
  for (const { intentId, isDead, isSigned } of payments) {
    const gone = isDead && isSigned ? await goneUnpaid(ctx, intentId) : null
    if (gone) found.set(intentId, gone)
  }
  return found
}

/** @returns false for an asset that the chain does not have */
async function store(
  ctx: StakingContext,
  tx: Tx,
  { stake, chain, from }: { stake: Stake; chain: ConfiguredChain; from: string },
  { principal, rewards, replaces }: DuePayment,
  gone: ReadonlyMap<string, GoneUnpaid>,
): Promise<boolean> {
  const asset = assetsOf(chain).find(({ symbol }) => symbol === stake.token)
  if (!asset) return false
  const { symbol, contract, decimals } = asset
  const token = contract === null ? null : { contract, symbol, decimals }
  const amount = principal + rewards
  const action: TransferSpec = {
    kind: 'transfer',
    from,
    to: stake.from,
    token,
    amount,
    memo: null,
    gasPrice: null,
    gasLimit: null,
  }
  const common = {
    businessId: null,
    purpose: 'stake-withdrawal',
    chain: chain.name,
    signer: 'staking',
    walletId: null,
  } as const
  const intent = await insertIntent(ctx, tx, { ...common, action, symbol, decimals }, 0, ctx.prover)
  const givenUp = replaces.flatMap((each) => gone.get(each)?.txIds ?? [])
  const message = replacementMessage({ intentId: intent.id, stakeId: stake.id, replaces, givenUp })
  const proof = replaces.length > 0 ? ctx.prover.prove(message) : null
  await tx.query(
    `insert into stake_payments (intent_id, stake_id, principal, rewards, replaces, given_up, proof) values ($1, $2, $3, $4, $5, $6, $7)`,
    [intent.id, stake.id, String(principal), String(rewards), replaces, givenUp, proof],
  )
  return true
}

/**
 * Withdrawn: a payment of its net amount is confirmed, or there is nothing to pay. A fork takes that back.
 */
async function end(tx: Tx, stake: Stake, payments: readonly Payment[]): Promise<void> {
  const hasNothing = netOf(stake) === 0n && (stake.rewards ?? 0n) === 0n
  const paying = netOf(stake) === 0n ? payments : payments.filter(({ principal }) => principal > 0n)
  const status = hasNothing || paying.some((each) => each.status === 'confirmed') ? 'withdrawn' : 'unstaking'
  if (status === stake.status) return
  await tx.query(
    `update stakes set status = $2, withdrawn_at = case $2::text when 'withdrawn' then now() end, updated_at = now() where id = $1`,
    [stake.id, status],
  )
  if (status === 'withdrawn') await recordStakeEvent(tx, stake.id, 'stake.withdrawn')
}
