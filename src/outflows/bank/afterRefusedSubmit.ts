import type { PartnerError } from '../../partnerPayments/partnerError.ts'
import { reasonOfRefusal, refusesCredentials } from '../../partnerPayments/partnerReasons.ts'
import { messageOf } from '../../platform/errors.ts'
import type { BankContext } from '../context.ts'
import { refusalInDoubt } from '../inDoubt.ts'
import { moveOutflow, type OutflowChange } from '../moveOutflow.ts'
import { lockClaimed, type Outflow } from '../outflow.ts'
import { recordAnswer } from './recordAnswer.ts'

const retryMs = 5000
const mendedMs = 60_000

/** Stores what is known after a submission without an answer that confirms it. */
export async function afterRefusedSubmit(
  ctx: BankContext,
  claimed: Outflow,
  error: PartnerError,
): Promise<void> {
  ctx.log.warn(
    { outflow: claimed.id, problem: error.problem, err: messageOf(error) },
    'a payout was not taken by the partner',
  )
  switch (error.problem) {
    case 'throttled':
    case 'unavailable':
      return again(
        ctx,
        claimed,
        'partner_busy',
        (error.retryAfterSeconds ?? 0) * 1000 || (ctx.pollMs ?? retryMs),
      )
    case 'refused':
      if (!refusesCredentials(error.partnerCode)) return refused(ctx, claimed, error)
      ctx.partner.alarm('not_authorized')
      return again(ctx, claimed, 'partner_not_authorized', mendedMs)
    default:
      await change(ctx, claimed, {
        status: 'unknown',
        reason: 'outcome_unknown',
        nextInMs: ctx.pollMs ?? retryMs,
      })
      ctx.observe('unknown', claimed.kind)
  }
}

/** Nothing was sent: it is pending again, under the same sequence id. */
async function again(ctx: BankContext, claimed: Outflow, reason: string, nextInMs: number): Promise<void> {
  await change(ctx, claimed, {
    status: 'pending',
    reason,
    submittedAt: null,
    absentSince: null,
    tries: claimed.tries + 1,
    nextInMs,
  })
  ctx.observe('retried', claimed.kind)
}

/**
 * A second payment with one sequence id is refused too, so the partner is queried before the money is given
 * back. Its look-up may lag: where an earlier submission may have been taken, its absence is no proof, and
 * the money stays held until the partner names the payment, or an operator ends it.
 */
async function refused(
  ctx: BankContext,
  claimed: Outflow,
  { partnerCode, isDuplicate }: PartnerError,
): Promise<void> {
  const askedAt = new Date()
  const payment = await ctx.partner.payments.findPayment(claimed.id)
  if (payment) return recordAnswer(ctx, claimed, payment, askedAt, 'question')
  if (claimed.outcomeLostAt !== null || isDuplicate) {
    ctx.partner.alarm('refusal_in_doubt')
    ctx.log.error(
      { outflow: claimed.id, code: partnerCode },
      'a payout was refused that the partner may have: see docs/runbooks/a-payout-is-unknown.md',
    )
    await change(ctx, claimed, { status: 'unknown', reason: refusalInDoubt, nextInMs: ctx.pollMs ?? retryMs })
    return ctx.observe('unknown', claimed.kind)
  }
  await change(ctx, claimed, {
    status: 'failed',
    release: 'partner_refused',
    reason: reasonOfRefusal(partnerCode),
  })
  ctx.observe('failed', claimed.kind)
}

async function change(ctx: BankContext, claimed: Outflow, wanted: OutflowChange): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, claimed)
    if (now) await moveOutflow(ctx, tx, now, wanted)
  })
}
