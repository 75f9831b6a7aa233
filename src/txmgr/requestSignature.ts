import type { ConfiguredChain } from '../chains/registry.ts'
import { type ActionPlan, ActionRefusedError, type Shortage } from '../chains/sending.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { resultOr } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { approvalHold } from './approvalHold.ts'
import { assignNonce, readAddressState, SenderShortageError } from './assignNonce.ts'
import { insertRequest, liveAttempts, readAttempts } from './attempts.ts'
import { causeStop, stoppedReason } from './causeStop.ts'
import { claimExactly, NonceTakenError } from './claimNonce.ts'
import type { SendingChain, TxManagerContext } from './context.ts'
import { failIntent } from './failIntent.ts'
import { feeLimits, feeStop } from './fees/feeLimits.ts'
import { feeWaitIsOver, startFeeWait } from './fees/markFeeWait.ts'
import { isHeld } from './hold.ts'
import { type Intent, type IntentStop, isOwnSigner, lockIntent } from './intents.ts'
import { isPaused } from './pause.ts'
import { hasWaited, mayWait, storeWaiting } from './waitForRecipient.ts'
import { wasSigned } from './wasSigned.ts'

/** Error codes of a shortage. Stable. */
export const shortageError = { token: 'insufficient_balance', native: 'insufficient_native_balance' } as const

export function shortageMessage({ symbol, decimals, required, available, held }: Shortage): string {
  const show = (amount: bigint) => formatUnits(amount, decimals)
  // Some of its token accounts are frozen or delegated, or they are too many for a transaction.
  if (held !== undefined)
    return `One transaction can send ${show(available)} ${symbol} of the ${show(held)} in the sender’s token accounts: ${show(required)} is needed`
  return `The sender lacks ${show(required - available)} ${symbol}: ${show(required)} is needed, ${show(available)} is there`
}

/** The message for a fee above the chain's limit. */
export function feeTooHigh(
  { name, native }: Pick<ConfiguredChain, 'name' | 'native'>,
  ceiling: bigint,
  fee: bigint,
): string {
  const show = (amount: bigint) => formatUnits(amount, native.decimals)
  return `The fee may be ${show(fee)} ${native.symbol}; on ${name} ${show(ceiling)} is allowed`
}

/**
 * Plans an unsigned intent: reads terms from the chain, claims a nonce where the chain has them, and requests
 * the treasury's signature. An intent that the chain would refuse fails, unless it may wait for its
 * recipient; nothing was sent.
 * @returns `waits`: there is no hurry to plan it again
 */
export async function requestSignature(
  ctx: TxManagerContext,
  sending: SendingChain,
  row: Intent,
): Promise<'waits' | undefined> {
  const { sender, builder, chain } = sending
  if (
    !isOwnSigner(row.signer) ||
    row.isCancelled ||
    (await isPaused(ctx.db, row.chain)) ||
    (await isHeld(ctx, ctx.db, row))
  )
    return undefined
  const hold = await approvalHold(ctx.db, row)
  if (hold) return hold.fails ? fail(ctx, row, hold.fails.reason, hold.fails.message) : undefined
  const stop = await ctx.db.tx((tx) => causeStop(ctx, tx, row))
  if (stop)
    return (await waitsAgain(ctx.db, row, stop)) ? 'waits' : fail(ctx, row, stoppedReason, stop.reason)
  if (hasWaited(row)) return fail(ctx, row, 'recipient_without_trustline', row.message ?? '')
  const planned = await resultOr(ActionRefusedError, sender.plan(row.action))
  if (planned instanceof ActionRefusedError) return afterRefusal(ctx, row, planned)
  const { ceiling } = await feeLimits(ctx.db, chain)
  const plan = await withinLimit(sending, planned, ceiling)
  const shortage = (plan ?? planned).shortages.find(({ kind }) => plan !== null || kind === 'token')
  if (shortage) return fail(ctx, row, shortageError[shortage.kind], shortageMessage(shortage))
  if (plan === null)
    return waitForFee(ctx, row, 'fee_too_high', feeTooHigh(chain, ceiling, builder.maxFee(planned.terms)))
  // It waits, as on a paused chain.
  if ((await feeStop(ctx.db, chain, row.id, builder.maxFee(plan.terms))) === 'budget') return
  const address = await readAddressState(sending, row.action)
  const requested = ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    if (
      now?.reconciles !== row.reconciles ||
      now.status !== 'created' ||
      liveAttempts(await readAttempts(tx, row.id)).length > 0
    )
      return
    if (now.isCancelled) return
    // The business may have been suspended, or the approver removed, while the chain was read.
    if (await isHeld(ctx, tx, row)) return
    if (await approvalHold(tx, now)) return
    const changed = await causeStop(ctx, tx, now)
    if (changed)
      return (await waitsAgain(tx, now, changed))
        ? undefined
        : failIntent(ctx, tx, now, stoppedReason, changed.reason)
    const nonce =
      row.purpose === 'noop'
        ? await claimAgain(tx, row)
        : await assignNonce(tx, sending, row, plan.terms, address)
    await insertRequest(tx, row, { nonce, terms: plan.terms }, ctx.prover)
  })
  try {
    await requested
  } catch (error) {
    if (error instanceof NonceTakenError)
      return fail(ctx, row, 'sequence_used', 'Another transaction has the nonce that it fills')
    if (error instanceof SenderShortageError) {
      const { shortage: short } = error
      return fail(ctx, row, shortageError[short.kind], shortageMessage(short))
    }
    throw error
  }
  failpoint('txmgr.planned')
  return undefined
}

/**
 * Unsigned it fails, and its cause makes another one later, unless the cause has it wait. An intent
 * that was signed once has no other one after it: it waits.
 */
const waitsAgain = async (db: Queryable, { id }: Intent, { ends, waits }: IntentStop): Promise<boolean> =>
  waits === true || (!ends && (await wasSigned(db, id)))

/** The nonce that a no-op fills, after its request was not signed in time. @throws NonceTakenError */
async function claimAgain(tx: Tx, { id, chain, action }: Intent): Promise<bigint> {
  const nonce = (await readAttempts(tx, id)).at(-1)?.nonce ?? null
  if (nonce === null) throw new NonceTakenError('it has no nonce')
  return claimExactly(tx, { chain, address: action.from, intentId: id }, nonce)
}

/** Only a refusal that time may end lets it wait. */
async function afterRefusal(
  ctx: TxManagerContext,
  row: Intent,
  refusal: ActionRefusedError,
): Promise<'waits' | undefined> {
  const { reason, publicText: message, field } = refusal
  if (mayWait(row, refusal)) {
    await storeWaiting(ctx.db, row, refusal)
    return 'waits'
  }
  // The price that its owner named may be enough later.
  return (reason === 'fee_too_low' && field === 'gasPrice' ? waitForFee : fail)(ctx, row, reason, message)
}

/**
 * A plan whose fee is at most what the treasury signs: a higher one is reduced to that limit, where the next
 * block would still include it.
 * @returns null where it would not
 */
async function withinLimit(
  { sender, builder }: SendingChain,
  plan: ActionPlan,
  maxFee: bigint,
): Promise<ActionPlan | null> {
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
async function waitForFee(
  ctx: TxManagerContext,
  row: Intent,
  reason: string,
  message: string,
): Promise<undefined> {
  if (feeWaitIsOver(ctx, row)) await fail(ctx, row, reason, message)
  else await startFeeWait(ctx, row, message)
}

async function fail(ctx: TxManagerContext, row: Intent, reason: string, message: string): Promise<undefined> {
  await ctx.db.tx(async (tx) => {
    const now = await lockIntent(tx, row.id)
    if (
      now?.reconciles !== row.reconciles ||
      now.status !== 'created' ||
      liveAttempts(await readAttempts(tx, row.id)).length > 0
    )
      return
    await failIntent(ctx, tx, now, reason, message)
  })
  ctx.observe('failed', row.chain)
}
