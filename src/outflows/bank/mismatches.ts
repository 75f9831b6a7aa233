import { isWholeAmount } from '../../money/amount.ts'
import type { PartnerPayment } from '../../partnerPayments/partner.ts'
import type { OutflowStatus } from '../outflow.ts'
import type { Mismatch } from './lastComparison.ts'
import { nextOfPartner } from './nextOfPartner.ts'

/** A bank payout that the partner may know. */
export interface SentOutflow {
  id: string
  status: OutflowStatus
  currency: string
  localAmount: string | null
  partnerPaymentId: string | null
  submittedAt: Date | null
}

/**
 * Payments of the partner's list without a row of the same amount and currency, and rows that it has taken
 * without a payment of the list.
 * @param range of submissions whose payment must be in the list
 */
export function mismatchesOf(
  listed: readonly PartnerPayment[],
  rows: readonly SentOutflow[],
  range: { after: Date; before: Date },
): Mismatch[] {
  const known = new Map(rows.map((row) => [row.id, row]))
  const seen = new Map<string, string>()
  const ofPartner = listed.flatMap((payment): Mismatch[] => {
    const row =
      known.get(payment.sequenceId ?? '') ??
      rows.find(({ partnerPaymentId }) => partnerPaymentId === payment.id)
    const problem = problemOf(payment, row, seen)
    if (row) seen.set(row.id, payment.id)
    return problem === null
      ? []
      : [{ place: 'partner', problem, outflowId: row?.id ?? null, partnerPaymentId: payment.id }]
  })
  const ofBooks = rows
    .filter((row) => isTaken(row) && !seen.has(row.id) && isWithin(row, range))
    .map(
      (row): Mismatch => ({
        place: 'books',
        problem: 'not_in_list',
        outflowId: row.id,
        partnerPaymentId: row.partnerPaymentId,
      }),
    )
  return [...ofPartner, ...ofBooks]
}

function problemOf(
  payment: PartnerPayment,
  row: SentOutflow | undefined,
  seen: ReadonlyMap<string, string>,
): string | null {
  if (!row) return 'no_payout'
  if (seen.has(row.id)) return 'twice'
  if (row.partnerPaymentId !== null && row.partnerPaymentId !== payment.id) return 'another_payment'
  if (payment.currency !== row.currency) return 'another_currency'
  if (
    row.localAmount === null ||
    payment.localAmount === null ||
    !isWholeAmount(payment.localAmount, BigInt(row.localAmount))
  )
    return 'another_amount'
  const next = nextOfPartner(row.status, payment.status)
  return next.alarm === 'contradiction' || (next.status === 'returned' && row.status !== 'returned')
    ? 'another_state'
    : null
}

/** The partner has named a payment for it. */
const isTaken = ({ partnerPaymentId }: SentOutflow): boolean => partnerPaymentId !== null

const isWithin = ({ submittedAt }: SentOutflow, { after, before }: { after: Date; before: Date }): boolean =>
  submittedAt !== null && submittedAt >= after && submittedAt <= before
