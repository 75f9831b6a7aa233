import { formatUnits } from '../chains/amount.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { type ActionPlan, ActionRefused, type Shortage } from '../chains/sending.ts'
import { failpoint } from '../platform/failpoints.ts'
import { approvalHold } from './approvalHold.ts'
import { assignNonce, readAddressState, SenderShort } from './assignNonce.ts'
import { insertRequest, liveAttempts, readAttempts } from './attempts.ts'
import type { SendingChain, TxManagerContext } from './context.ts'
import { failIntent } from './failIntent.ts'
import { isHeld } from './hold.ts'
import { type Intent, isOurs, lockIntent } from './intents.ts'
import { beginFeeWait, feeWaitIsOver } from './markFeeWait.ts'
import { isPaused } from './pause.ts'

/** Error codes of a shortage. Stable. */
export const shortageError = { token: 'insufficient_balance', native: 'insufficient_native_balance' } as const

export function shortageMessage({ symbol, decimals, required, available }: Shortage): string {
  const show = (amount: bigint) => formatUnits(amount, decimals)
  return `The sender lacks ${show(required - available)} ${symbol}: ${show(required)} is needed, ${show(available)} is there`
}

/** The message for a fee above the chain's limit. */
export function feeTooHigh({ name, native, maxFee }: Pick<ConfiguredChain, 'name' | 'native' | 'maxFee'>, fee: bigint): string {
  const show = (amount: bigint) => formatUnits(amount, native.decimals)
  return `The fee may be ${show(fee)} ${native.symbol}; on ${name} ${show(maxFee)} is allowed`
}

/**
 * Plans an unsigned intent: asks the chain for terms, claims a nonce where the chain has them, and requests the treasury's signature. An intent
 * that the chain would refuse fails; nothing was sent.
 */
export async function requestSignature(ctx: TxManagerContext, sending: SendingChain, row: Intent): Promise<void> {
  const { sender, builder, chain } = sending
  if (!isOurs(row.signer) || (await isPaused(ctx.db, row.chain)) || (await isHeld(ctx, ctx.db, row.businessId))) return
  const hold = await approvalHold(ctx.db, row)
  if (hold) return hold.fails ? fail(ctx, row, hold.fails.reason, hold.fails.message) : undefined
  const planned = await sender.plan(row.action).catch((error) => {
    if (error instanceof ActionRefused) return error
    throw error
  })
  if (planned instanceof ActionRefused) {
    const { reason, message } = planned
    // The price that its owner named may be enough later.
    if (reason === 'fee_too_low' && planned.field === 'gasPrice') return waitForFee(ctx, row, reason, message)
    return fail(ctx, row, reason, message)
  }
  const plan = await withinLimit(sending, planned)
  const shortage = (plan ?? planned).shortages.find(({ kind }) => plan !== null || kind === 'token')
  if (shortage) return fail(ctx, row, shortageError[shortage.kind], shortageMessage(shortage))
  if (plan === null) return waitForFee(ctx, row, 'fee_too_high', feeTooHigh(chain, builder.maxFee(planned.terms)))
  const address = await readAddressState(sending, row.action)
  const taken = ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    if (now?.reconciles !== row.reconciles || now.status !== 'created' || liveAttempts(await readAttempts(tx, row.id)).length > 0) return
    // The business may have been suspended, or the approver removed, while the chain was asked.
    if (await isHeld(ctx, tx, row.businessId)) return
    if (await approvalHold(tx, now)) return
    const nonce = await assignNonce(tx, sending, row, plan.terms, address)
    await insertRequest(tx, row, { nonce, terms: plan.terms }, ctx.prover)
  })
  const short = await taken.then(
    () => null,
    (error) => {
      if (error instanceof SenderShort) return error.shortage
      throw error
    },
  )
  if (short) return fail(ctx, row, shortageError[short.kind], shortageMessage(short))
  failpoint('txmgr.planned')
}

/**
 * A plan whose fee is at most what the treasury signs: a higher one is reduced to that limit, where the next block would still include it.
 * @returns null where it would not
 */
async function withinLimit({ sender, builder, chain: { maxFee } }: SendingChain, plan: ActionPlan): Promise<ActionPlan | null> {
  const saved = builder.maxFee(plan.terms) - maxFee
  if (saved <= 0n) return plan
  const terms = sender.market && builder.reduceFee?.(plan.terms, await sender.market(), maxFee)
  if (!terms) return null
  const shortages = plan.shortages
    .map((each) => (each.kind === 'native' ? { ...each, required: each.required - saved } : each))
    .filter(({ required, available }) => required > available)
  return { ...plan, terms, shortages }
}

/** Nothing is signed: it is planned again later, and fails after `feeWaitMs`. */
async function waitForFee(ctx: TxManagerContext, row: Intent, reason: string, message: string): Promise<void> {
  if (feeWaitIsOver(ctx, row)) await fail(ctx, row, reason, message)
  else await beginFeeWait(ctx, row, message)
}

async function fail(ctx: TxManagerContext, row: Intent, reason: string, message: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    if (now?.reconciles !== row.reconciles || now.status !== 'created' || liveAttempts(await readAttempts(tx, row.id)).length > 0) return
    await failIntent(ctx, tx, now, reason, message)
  })
  ctx.observe('failed', row.chain)
}
