import { isWholeAmount } from '../../money/amount.ts'
import type { PartnerPayment } from '../../partnerPayments/partner.ts'
import { reasonOfFailure, reasonOfReturn } from '../../partnerPayments/partnerReasons.ts'
import { recordState } from '../../partnerPayments/recordState.ts'
import type { Queryable } from '../../platform/database/db.ts'
import type { BankContext } from '../context.ts'
import { moveOutflow, type OutflowChange } from '../moveOutflow.ts'
import { type BankPrice, lockClaimed, type Outflow } from '../outflow.ts'
import { nextBankLookMs } from './nextBankLook.ts'
import { meaningOf, nextOfPartner } from './nextOfPartner.ts'
import { costInBand, returnedInBand } from './partnerCost.ts'

/**
 * Stores the partner's report of a payout under way. An answer that is not about this payout is not
 * trusted: only a person can decide what it means. An end is accepted only from an answer to a query, which
 * names all that it is about; otherwise it is queried by our own id. A completed payout stays completed in
 * doubt.
 * @param to the request: to take the payment, or for its state
 */
export async function recordAnswer(
  ctx: BankContext,
  claimed: Outflow,
  payment: PartnerPayment,
  askedAt: Date,
  to: 'submission' | 'question',
): Promise<void> {
  const lies = [
    ...contradictions(claimed, payment),
    ...((await isOfAnother(ctx.db, claimed, payment)) ? ['id'] : []),
  ]
  if (lies.length > 0) {
    ctx.partner.alarm('contradiction')
    ctx.log.error(
      { outflow: claimed.id, partnerPaymentId: claimed.partnerPaymentId, fields: lies },
      'the partner answers with another payment',
    )
  }
  const isUnconfirmed = isEnd(payment) && (to === 'submission' || !isWholeEnd(claimed, payment))
  if (lies.length === 0 && isUnconfirmed) {
    ctx.partner.alarm('unconfirmed_end')
    ctx.log.error(
      { outflow: claimed.id, partnerStatus: payment.status, to },
      'the partner ends a payout in an answer that does not name all of it',
    )
  }
  const isBelieved = lies.length === 0 && !isUnconfirmed
  const isNewest = isBelieved && (await recordState(ctx, ctx.partner.payments.name, payment, askedAt))
  const after = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, claimed)
    if (!now) return null
    const looks = { nextInMs: nextBankLookMs(ctx, now) }
    if (lies.length > 0)
      return moveOutflow(ctx, tx, now, { ...inDoubt(now, 'partner_contradicts'), ...looks })
    if (isUnconfirmed) return moveOutflow(ctx, tx, now, { ...inDoubt(now, 'end_unconfirmed'), ...looks })
    // Of two answers the older one may come later.
    if (!isNewest) return moveOutflow(ctx, tx, now, looks)
    return moveOutflow(ctx, tx, now, changeBy(ctx, now, payment, looks))
  })
  if (!after || after.status === claimed.status) return
  if (after.status === 'completed' || after.status === 'failed' || after.status === 'unknown')
    ctx.observe(after.status, after.kind)
  if (after.status !== 'returned') return
  ctx.observe('returned', after.kind)
  ctx.log.warn(
    { outflow: after.id, reason: after.reason },
    'the bank returned a completed payout: its money is available again',
  )
}

const inDoubt = ({ status }: Outflow, reason: string): OutflowChange =>
  status === 'completed' ? {} : { status: 'unknown', reason }

function changeBy(
  ctx: BankContext,
  now: Outflow,
  payment: PartnerPayment,
  looks: { nextInMs: number },
): OutflowChange {
  const known = { partnerPaymentId: payment.id, partnerStatus: payment.status, absentSince: null }
  const { status, alarm } = nextOfPartner(now.status, payment.status)
  if (alarm) {
    ctx.partner.alarm(alarm)
    ctx.log.error(
      { outflow: now.id, status: now.status, partnerStatus: payment.status },
      'the partner gives a payout a state that it cannot have',
    )
  }
  if (status === 'failed' && now.status !== 'failed')
    return {
      ...known,
      status,
      release: 'partner_failed',
      reason: reasonOfFailure(payment.status, payment.errorCode),
    }
  if (status === 'completed' && now.status !== 'completed')
    return completedBy(ctx, now, payment, { known, looks })
  if (status === 'returned' && now.status === 'completed')
    return returnedBy(ctx, now, payment, { known, looks })
  const isOpen = status === 'processing' || status === 'unknown'
  return { ...known, ...(isOpen ? { status, ...looks } : { nextInMs: null }) }
}

interface Then {
  known: Pick<OutflowChange, 'partnerPaymentId' | 'partnerStatus' | 'absentSince'>
  looks: { nextInMs: number }
}

/** Nothing is posted for a cost that cannot be right: an operator accepts it, or the partner corrects it. */
function completedBy(
  ctx: BankContext,
  now: Outflow,
  payment: PartnerPayment,
  { known, looks }: Then,
): OutflowChange {
  if (payment.amountUsd === null) {
    ctx.partner.alarm('no_cost')
    return { ...known, ...looks }
  }
  const partnerCost = costInBand(payment, priceOf(now))
  if (partnerCost !== null) return { ...known, status: 'completed', partnerCost, nextInMs: null }
  reportOutOfBand(ctx, now, payment)
  return { ...known, status: 'unknown', reason: 'cost_out_of_band', ...looks }
}

/** In doubt it stays completed, and is queried again. */
function returnedBy(
  ctx: BankContext,
  now: Outflow,
  payment: PartnerPayment,
  { known, looks }: Then,
): OutflowChange {
  const partnerReturned = returnedInBand(payment, priceOf(now), now.partnerCost ?? 0n)
  if (partnerReturned !== null)
    return { ...known, status: 'returned', reason: reasonOfReturn(payment.errorCode), partnerReturned }
  reportOutOfBand(ctx, now, payment)
  return looks
}

function reportOutOfBand(
  ctx: BankContext,
  { id, amount, token, bank }: Outflow,
  { amountUsd, feeUsd, status }: PartnerPayment,
): void {
  ctx.partner.alarm('cost_out_of_band')
  ctx.log.error(
    {
      outflow: id,
      amount: String(amount),
      token,
      localAmount: String(bank?.price?.localAmount),
      partnerStatus: status,
      amountUsd,
      feeUsd,
    },
    'the partner reports a cost that does not fit the price: see docs/runbooks/a-payout-is-unknown.md',
  )
}

function priceOf({ id, bank }: Outflow): BankPrice {
  if (!bank?.price) throw new Error(`outflow ${id} has no price`)
  return bank.price
}

/** False: it ends a payout, and does not name all that it is about. */
export const isWholeEnd = ({ id }: Outflow, payment: PartnerPayment): boolean =>
  !isEnd(payment) || (payment.sequenceId === id && payment.localAmount !== null)

const isEnd = ({ status }: PartnerPayment): boolean => ['paid', 'unpaid'].includes(meaningOf(status) ?? '')

/** The partner has named this payment for another outflow. */
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
  const isAmount =
    payment.localAmount === null || isWholeAmount(payment.localAmount, bank?.price?.localAmount ?? 0n)
  return [
    ...(partnerPaymentId === null || payment.id === partnerPaymentId ? [] : ['id']),
    ...(payment.sequenceId === null || payment.sequenceId === id ? [] : ['sequenceId']),
    ...(payment.currency === bank?.currency ? [] : ['currency']),
    ...(isAmount ? [] : ['localAmount']),
  ]
}
