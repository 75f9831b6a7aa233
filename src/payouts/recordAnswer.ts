import { isWholeAmount } from '../chains/amount.ts'
import type { PartnerPayment } from '../partnerPayments/partner.ts'
import { recordState } from '../partnerPayments/recordState.ts'
import type { Queryable } from '../platform/db.ts'
import type { BankContext } from './context.ts'
import { moveOutflow, type OutflowChange } from './moveOutflow.ts'
import { nextLookMs } from './nextLook.ts'
import { meaningOf, nextOfPartner } from './nextOfPartner.ts'
import { lockClaimed, type Outflow } from './outflow.ts'
import { millionthsOf } from './outflowPartner.ts'
import { reasonOfFailure } from './partnerReasons.ts'

/**
 * Stores what the partner says of a payout under way. An answer that is not about this payout is not believed: only a person can tell what it means. An end
 * is believed only from an answer to a question, which names all that it is about; else it is asked for by our own id.
 * @param to what was asked: to take the payment, or for its state
 */
export async function recordAnswer(
  ctx: BankContext,
  claimed: Outflow,
  payment: PartnerPayment,
  askedAt: Date,
  to: 'submission' | 'question',
): Promise<void> {
  const lies = [...contradictions(claimed, payment), ...((await isOfAnother(ctx.db, claimed, payment)) ? ['id'] : [])]
  if (lies.length > 0) {
    ctx.partner.alarm('contradiction')
    ctx.log.error({ outflow: claimed.id, partnerPaymentId: claimed.partnerPaymentId, fields: lies }, 'the partner answers with another payment')
  }
  const isUnconfirmed = isEnd(payment) && (to === 'submission' || !isWholeEnd(claimed, payment))
  if (lies.length === 0 && isUnconfirmed) {
    ctx.partner.alarm('unconfirmed_end')
    ctx.log.error({ outflow: claimed.id, partnerStatus: payment.status, to }, 'the partner ends a payout in an answer that does not name all of it')
  }
  const isBelieved = lies.length === 0 && !isUnconfirmed
  const isNewest = isBelieved && (await recordState(ctx, ctx.partner.payments.name, payment, askedAt))
  const after = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, claimed)
    if (!now) return null
    const looks = { nextInMs: nextLookMs(ctx, now) }
    if (lies.length > 0) return moveOutflow(ctx, tx, now, { status: 'unknown', reason: 'partner_contradicts', ...looks })
    if (isUnconfirmed) return moveOutflow(ctx, tx, now, { status: 'unknown', reason: 'end_unconfirmed', ...looks })
    // Of two answers the older one may come later.
    if (!isNewest) return moveOutflow(ctx, tx, now, looks)
    return moveOutflow(ctx, tx, now, changeBy(ctx, now, payment, looks))
  })
  if (!after || after.status === claimed.status) return
  if (after.status === 'completed' || after.status === 'failed' || after.status === 'unknown') ctx.observe(after.status, after.kind)
}

function changeBy(ctx: BankContext, now: Outflow, payment: PartnerPayment, looks: { nextInMs: number }): OutflowChange {
  const known = { partnerPaymentId: payment.id, partnerStatus: payment.status, absentSince: null }
  const { status, alarm } = nextOfPartner(now.status, payment.status)
  if (alarm) {
    ctx.partner.alarm(alarm)
    ctx.log.error({ outflow: now.id, status: now.status, partnerStatus: payment.status }, 'the partner gives a payout a state that it cannot have')
  }
  if (status === 'failed' && now.status !== 'failed')
    return { ...known, status, release: 'partner_failed', reason: reasonOfFailure(payment.status, payment.errorCode) }
  if (status === 'completed' && now.status !== 'completed') {
    const { amountUsd, feeUsd } = payment
    if (amountUsd !== null) return { ...known, status, partnerCost: costOf(amountUsd, feeUsd ?? '0'), nextInMs: null }
    ctx.partner.alarm('no_cost')
    return { ...known, ...looks }
  }
  const isOpen = status === 'processing' || status === 'unknown'
  return { ...known, ...(isOpen ? { status, ...looks } : { nextInMs: null }) }
}

/** In millionths of a US dollar, rounded up: the books never have more at the partner than it has. */
const costOf = (amountUsd: string, feeUsd: string): bigint => millionthsOf(amountUsd, 'up') + millionthsOf(feeUsd, 'up')

/** False: it ends a payout, and does not name all that it is about. */
export const isWholeEnd = ({ id }: Outflow, payment: PartnerPayment): boolean =>
  !isEnd(payment) || (payment.sequenceId === id && payment.localAmount !== null)

const isEnd = ({ status }: PartnerPayment): boolean => ['paid', 'unpaid'].includes(meaningOf(status) ?? '')

/** The partner has named this payment for something else. */
async function isOfAnother(db: Queryable, { id, bank }: Outflow, payment: PartnerPayment): Promise<boolean> {
  const rows = await db.query(
    `select 1 from outflows where partner = $1 and partner_payment_id = $2 and id <> $3
     union all select 1 from partner_payment_states where partner = $1 and partner_payment_id = $2 and sequence_id <> $3::text`,
    [bank?.partner, payment.id, id],
  )
  return rows.length > 0
}

/** The fields of an answer that are those of another payment. Some answers leave fields out. */
function contradictions({ id, bank, partnerPaymentId }: Outflow, payment: PartnerPayment): string[] {
  const isAmount = payment.localAmount === null || isWholeAmount(payment.localAmount, bank?.price?.localAmount ?? 0n)
  return [
    ...(partnerPaymentId === null || payment.id === partnerPaymentId ? [] : ['id']),
    ...(payment.sequenceId === null || payment.sequenceId === id ? [] : ['sequenceId']),
    ...(payment.currency === bank?.currency ? [] : ['currency']),
    ...(isAmount ? [] : ['localAmount']),
  ]
}
