import type { PartnerPayment } from '../../partnerPayments/partner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import type { YellowCardAccount } from './account.ts'
import { pathsOf } from './names.ts'
import { paymentForm } from './payment.ts'
import { post } from './request.ts'

/**
 * Has a submitted payment processed, by https://docs.yellowcard.engineering/reference/accept-payment-request.
 * @throws PartnerError `refused` with `PaymentExpired`, `PaymentInvalidState` or `PaymentNotFound`
 */
export const acceptPayment = (account: YellowCardAccount, id: string): Promise<PartnerPayment> =>
  decide(account, id, pathsOf(account).accept(id))

/**
 * Ends a submitted payment, by https://docs.yellowcard.engineering/reference/deny-payment-request. @throws
 * PartnerError as `acceptPayment`
 */
export const denyPayment = (account: YellowCardAccount, id: string): Promise<PartnerPayment> =>
  decide(account, id, pathsOf(account).deny(id))

async function decide(account: YellowCardAccount, id: string, path: string): Promise<PartnerPayment> {
  const payment = await post(account, path, {}, paymentForm, { changes: true })
  if (payment.id !== id)
    throw new PartnerError('outcome_unknown', 'Yellow Card answered a decision with another payment')
  return payment
}
