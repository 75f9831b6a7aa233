import { z } from 'zod'
import type { PartnerPayment, PaymentPage } from '../../partnerPayments/partner.ts'
import type { YellowCardAccount } from './account.ts'
import { pathsOf } from './names.ts'
import { paymentForm } from './payment.ts'
import { get } from './request.ts'

const form = z.object({ payments: z.array(paymentForm) })

/**
 * A page of payments, oldest first, by https://docs.yellowcard.engineering/reference/list-payments: `startAt`
 * counts payments, `rangeBy` and `sortBy` name the time. A page that is shorter than `perPage` is the last
 * one.
 */
export async function listPayments(
  account: YellowCardAccount,
  { by, from, to, startAt, perPage }: PaymentPage,
): Promise<PartnerPayment[]> {
  const query = new URLSearchParams({
    startDate: from.toISOString(),
    endDate: to.toISOString(),
    rangeBy: by,
    sortBy: by,
    orderBy: 'asc',
    startAt: String(startAt),
    perPage: String(perPage),
  })
  return (await get(account, pathsOf(account).list, form, query.toString())).payments
}
