import { tokenDecimals } from '../../chains/tokenDecimals.ts'
import { lockPartner } from '../../partnerPayments/lockPartner.ts'
import type { PaymentRequest } from '../../partnerPayments/partner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import { failpoint } from '../../platform/failpoints.ts'
import type { BankContext, OutflowsContext } from '../context.ts'
import { isInDoubt } from '../inDoubt.ts'
import { moveOutflow } from '../moveOutflow.ts'
import { lockClaimed, type Outflow } from '../outflow.ts'
import { outflowStop } from '../outflowGate.ts'
import { refuseOutflow as refuse } from '../refuseOutflow.ts'
import type { Stop } from '../stop.ts'
import { stopOutflow } from '../stopOutflow.ts'
import { afterRefusedSubmit } from './afterRefusedSubmit.ts'
import { awaitConfirmation } from './awaitConfirmation.ts'
import { refusalOfBankOutflow } from './bankPolicy.ts'
import { type BankOutflow, bankRequest } from './bankRequest.ts'
import { exceedsWorth } from './exceedsWorth.ts'
import { maxCostOf, openAtPartner } from './openAtPartner.ts'
import type { PartnerFunds } from './outflowPartner.ts'
import { type Priced, priceForBank } from './priceForBank.ts'
import { isOldPrice, needsConfirmation } from './priceRules.ts'
import { provePrice } from './provePrice.ts'
import { recordAnswer } from './recordAnswer.ts'

/** Until its answer is stored; then another worker queries it. */
const answerMs = 30_000
/**
 * A worker that stood still for longer than this sends nothing: another one may have taken the payout over
 * meanwhile.
 */
const maxDelayMs = 10_000
const soonMs = 15_000
const laterMs = 60_000

/**
 * Submits a bank payout: what is needed first, then the row with the state that it may have left, then the
 * request.
 */
export async function sendToBank(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  if (!isBankOutflow(outflow)) throw new Error(`outflow ${outflow.id} has no bank account`)
  const { partner } = ctx
  // Without a partner there are no rates either.
  if (!partner || partner.payments.name !== outflow.bank.partner) {
    const reason = outflow.bank.price === null ? 'rates_unavailable' : 'partner_unavailable'
    return stopOutflow(ctx, outflow, { reason, nextInMs: laterMs, ends: false })
  }
  const refusal = await ctx.db.tx((tx) => refusalOfBankOutflow(tx, outflow, partner.proofs))
  if (refusal !== null) return refuse(ctx, outflow, refusal)
  const ready = await prepare({ ...ctx, partner }, outflow)
  if ('unconfirmed' in ready) return awaitConfirmation({ ...ctx, partner }, outflow, ready.unconfirmed)
  if ('ends' in ready) return stopOutflow(ctx, outflow, ready)
  const begun = performance.now()
  const claimed = await claimSubmission({ ...ctx, partner }, outflow, ready)
  if (!claimed) return
  if (typeof claimed === 'string') return refuse(ctx, outflow, claimed)
  if ('ends' in claimed) return stopOutflow(ctx, outflow, claimed)
  failpoint('payouts.partner-claimed')
  if (performance.now() - begun > maxDelayMs) return
  await submit({ ...ctx, partner }, claimed, ready.request)
}

const isBankOutflow = (outflow: Outflow): outflow is BankOutflow =>
  outflow.bank !== null &&
  outflow.wallet === null &&
  outflow.businessId !== null &&
  outflow.destinationId !== null

interface Ready {
  priced: Priced | null
  request: PaymentRequest
  funds: PartnerFunds
}

/** @returns `unconfirmed`: it waits for a confirmation of its price; null: of the one that it has */
async function prepare(
  ctx: BankContext,
  outflow: BankOutflow,
): Promise<Ready | Stop | { unconfirmed: Priced | null }> {
  const { price, currency } = outflow.bank
  // What the partner may have already keeps its price: its answer names that one.
  const isSubmitted = isInDoubt(outflow)
  const holds = price !== null && (isSubmitted || !isOldPrice(price, new Date(), ctx.partner.prices))
  const priced = holds ? null : await priceForBank(ctx, outflow, currency)
  if (priced === 'rates_unavailable') return { reason: priced, nextInMs: soonMs, ends: false }
  if (priced === 'amount_too_small') return { reason: priced, nextInMs: 0, ends: priced }
  const current = priced?.price ?? price
  if (!current) throw new Error(`outflow ${outflow.id} has no price`)
  if (!isSubmitted && needsConfirmation(current, ctx.partner.prices)) return { unconfirmed: priced }
  const { localAmount } = current
  const request = await bankRequest(ctx, outflow)
  if (!request) return { reason: 'legal_profile_missing', nextInMs: laterMs, ends: false }
  const funds = await ctx.partner.funds().catch((error: unknown) => {
    if (error instanceof PartnerError) return null
    throw error
  })
  if (!funds) return { reason: 'partner_unavailable', nextInMs: ctx.pollMs ?? soonMs, ends: false }
  const mid = await ctx.partner.rates.midOrNull(currency)
  if (!mid) return { reason: 'rates_unavailable', nextInMs: soonMs, ends: false }
  if (
    exceedsWorth(
      outflow.amount,
      tokenDecimals(outflow.chain, outflow.token),
      mid.rate,
      localAmount,
      ctx.partner.prices.maxAboveWorthPercent,
    )
  ) {
    ctx.partner.alarm('price_too_high')
    ctx.log.error(
      { outflow: outflow.id, localAmount: String(localAmount), currency, rate: mid.rate },
      'a payout would pay much more than it takes: it waits',
    )
    return { reason: 'price_too_high', nextInMs: laterMs, ends: false }
  }
  return { priced, request: { ...request, localAmount }, funds }
}

/**
 * Stores that it may have left, if nothing keeps it from leaving now, and the partner's account has enough
 * for it and for those under way.
 * @returns null: another worker has it; a text: it is refused, because its row has changed
 */
async function claimSubmission(
  ctx: BankContext,
  outflow: BankOutflow,
  { priced, funds }: Ready,
): Promise<Outflow | Stop | string | null> {
  const { partner } = outflow.bank
  return ctx.db.tx(async (tx) => {
    await lockPartner(tx, partner)
    const now = await lockClaimed(tx, outflow)
    if (now?.status !== 'pending') return null
    // Before the proofs, which refuse for good what may only have to wait.
    const stop = await outflowStop(ctx, tx, now)
    if (stop !== null) return stop
    const refusal = await refusalOfBankOutflow(tx, now, ctx.partner.proofs)
    if (refusal !== null) return refusal
    // What was completed since the balance was read is not in it.
    const { maxCost } = await openAtPartner(tx, partner, funds.readAt)
    if (funds.available - maxCost < maxCostOf(outflow))
      return { reason: 'partner_balance_low', nextInMs: ctx.pollMs ?? soonMs, ends: false }
    return moveOutflow(ctx, tx, now, {
      status: 'processing',
      submittedAt: new Date(),
      absentSince: null,
      ...(priced && { priced: provePrice(ctx.maker, now, priced) }),
      nextInMs: answerMs,
    })
  })
}

async function submit(ctx: BankContext, claimed: Outflow, request: PaymentRequest): Promise<void> {
  ctx.observe('sent', claimed.kind)
  const askedAt = new Date()
  try {
    const payment = await ctx.partner.payments.submit(request)
    failpoint('payouts.partner-submitted')
    await recordAnswer(ctx, claimed, payment, askedAt, 'submission')
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    await afterRefusedSubmit(ctx, claimed, error)
  }
  failpoint('payouts.partner-answered')
}
