import { PartnerError } from '../../partnerPayments/partnerError.ts'
import { failpoint } from '../../platform/failpoints.ts'
import type { BankContext, OutflowsContext } from '../context.ts'
import { refusalInDoubt } from '../inDoubt.ts'
import { moveOutflow, type OutflowChange } from '../moveOutflow.ts'
import { lockClaimed, type Outflow } from '../outflow.ts'
import { nextBankLookMs } from './nextBankLook.ts'
import { recordAnswer } from './recordAnswer.ts'

/** A request that was lost may still arrive at the partner; then absence means nothing yet. */
export const absenceSafeMs = 120_000
/** Between the two answers that a payment is absent. */
const apartMs = 5000
const withoutPartnerMs = 60_000

/** Queries the partner for a bank payout that may have left, and takes it to its end. */
export async function followAtBank(ctx: OutflowsContext, outflow: Outflow): Promise<void> {
  const { partner } = ctx
  // A completed one is queried where the bank may have returned it.
  const isPaidHere =
    outflow.status === 'completed' && outflow.partnerPaymentId !== null && outflow.partnerCost !== null
  if (outflow.status === 'completed' && !(isPaidHere && partner))
    return change(ctx, outflow, () => ({ nextInMs: null }))
  // Only an operator can end it as long as this deployment does not have its partner.
  if (!partner || partner.payments.name !== outflow.bank?.partner)
    return change(ctx, outflow, ({ status }) =>
      status === 'completed'
        ? { nextInMs: null }
        : { status: 'unknown', reason: 'partner_unavailable', nextInMs: withoutPartnerMs },
    )
  await ask({ ...ctx, partner }, outflow)
  failpoint('payouts.partner-followed')
}

async function ask(ctx: BankContext, outflow: Outflow): Promise<void> {
  const { payments } = ctx.partner
  const { partnerPaymentId } = outflow
  const askedAt = new Date()
  try {
    // In doubt, query by our own id: the answer names it.
    const payment =
      partnerPaymentId === null || outflow.status !== 'processing'
        ? await payments.findPayment(outflow.id)
        : await payments.payment(partnerPaymentId)
    if (payment) await recordAnswer(ctx, outflow, payment, askedAt, 'question')
    else if (partnerPaymentId === null) await absent(ctx, outflow)
    else await lost(ctx, outflow)
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    await withoutAnswer(ctx, outflow, error)
  }
}

/**
 * Once the partner has reported twice that it does not have it, long enough after the request, it is
 * submitted again, under the same id. What the partner has refused in doubt stays unknown: another submission
 * would be refused as well.
 */
async function absent(ctx: BankContext, outflow: Outflow): Promise<void> {
  let isOver = false
  await change(ctx, outflow, (before) => {
    const { submittedAt, absentSince, tries } = before
    if (before.reason === refusalInDoubt) return { nextInMs: nextBankLookMs(ctx, before) }
    const [now, sent] = [Date.now(), submittedAt?.getTime() ?? 0]
    if (absentSince === null) return { absentSince: new Date(now), nextInMs: ctx.pollMs ?? apartMs }
    const safeAt = Math.max(sent + absenceSafeMs, absentSince.getTime() + (ctx.pollMs ?? apartMs))
    isOver = now >= safeAt
    if (!isOver) return { nextInMs: ctx.pollMs ?? safeAt - now }
    return {
      status: 'pending',
      reason: null,
      submittedAt: null,
      absentSince: null,
      outcomeLostAt: new Date(now),
      tries: tries + 1,
      nextInMs: 0,
    }
  })
  if (isOver) ctx.observe('retried', outflow.kind)
}

/** It had the payment before, so it cannot be absent. */
async function lost(ctx: BankContext, outflow: Outflow): Promise<void> {
  ctx.partner.alarm('lost_payment')
  ctx.log.error(
    { outflow: outflow.id, partnerPaymentId: outflow.partnerPaymentId },
    'the partner reports that it does not have a payment that it made',
  )
  await change(ctx, outflow, (now) =>
    now.status === 'completed'
      ? { nextInMs: null }
      : { status: 'unknown', reason: 'partner_lost_payment', nextInMs: nextBankLookMs(ctx, now) },
  )
}

async function withoutAnswer(
  ctx: BankContext,
  outflow: Outflow,
  { problem, message, code, retryAfterSeconds }: PartnerError,
): Promise<void> {
  if (problem === 'invalid_answer') ctx.partner.alarm('invalid_answer')
  if (problem === 'refused') ctx.partner.alarm('not_authorized')
  ctx.log.warn(
    { outflow: outflow.id, problem, code, err: message },
    'the partner does not report the state of a payout',
  )
  await change(ctx, outflow, (now) => {
    const nextInMs = Math.max(nextBankLookMs(ctx, now), (retryAfterSeconds ?? 0) * 1000)
    // Where the partner has named no payment, neither side knows.
    return now.partnerPaymentId === null && now.status === 'processing'
      ? { status: 'unknown', reason: 'outcome_unknown', nextInMs }
      : { nextInMs }
  })
}

async function change(
  ctx: OutflowsContext,
  outflow: Outflow,
  wanted: (now: Outflow) => OutflowChange,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (now) await moveOutflow(ctx, tx, now, wanted(now))
  })
}
