import type { PartnerPayment } from '../../partnerPayments/partner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import type { YellowCardAccount } from './account.ts'
import { pathsOf } from './names.ts'
import { paymentForm } from './payment.ts'
import { get } from './request.ts'

/**
 * A payment by the partner's id, by https://docs.yellowcard.engineering/reference/lookup-payment. @returns
 * null if there is no such payment
 */
export const readPayment = (account: YellowCardAccount, id: string): Promise<PartnerPayment | null> =>
  find(account, pathsOf(account).one(id), (payment) => payment.id === id)

/**
 * A payment by our own id, by https://docs.yellowcard.engineering/reference/lookup-payment-by-sequenceid.
 * @returns null if there is no such payment
 */
export const findPayment = (account: YellowCardAccount, sequenceId: string): Promise<PartnerPayment | null> =>
  find(account, pathsOf(account).ofSequence(sequenceId), (payment) => payment.sequenceId === sequenceId)

async function find(
  account: YellowCardAccount,
  path: string,
  isAsked: (payment: PartnerPayment) => boolean,
): Promise<PartnerPayment | null> {
  const payment = await get(account, path, paymentForm).catch((error: unknown) => {
    // Only this code means that (docs/errors-api). Any other 404 may be a path that is not served, and "not
    // there" would be paid a second time.
    if (error instanceof PartnerError && error.partnerCode === 'PaymentNotFound') return null
    throw error
  })
  if (payment !== null && !isAsked(payment))
    throw new PartnerError(
      'invalid_answer',
      'Yellow Card answered with another payment than the one requested',
    )
  return payment
}
