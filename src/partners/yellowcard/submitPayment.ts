import { isWholeAmount } from '../../money/amount.ts'
import type { PartnerPayment, PaymentRequest } from '../../partnerPayments/partner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import type { YellowCardAccount } from './account.ts'
import { requireLocalAmount } from './localAmount.ts'
import { pathsOf } from './names.ts'
import { paymentForm } from './payment.ts'
import { post } from './request.ts'

/**
 * Submits a payment, by https://docs.yellowcard.engineering/reference/submit-payment: of `amount` (US
 * dollars) and `localAmount` "either one is required, but not both"; with `forceAccept` it is processed at
 * once.
 * @throws PartnerError `outcome_unknown` also if the answer is not about this payment: it may have been made
 */
export async function submitPayment(
  account: YellowCardAccount,
  request: PaymentRequest,
): Promise<PartnerPayment> {
  const { sequenceId, localAmount } = request
  requireLocalAmount(localAmount)
  const payment = await post(account, pathsOf(account).submit, contentOf(request), paymentForm, {
    changes: true,
  })
  const wrong = [
    ...(payment.sequenceId === sequenceId ? [] : ['sequenceId']),
    ...(isWholeAmount(payment.localAmount, localAmount) ? [] : ['convertedAmount']),
    ...('currency' in request.channel && payment.currency !== request.channel.currency ? ['currency'] : []),
  ]
  if (wrong.length === 0) return payment
  throw new PartnerError(
    'outcome_unknown',
    `Yellow Card answered a submitted payment with another ${wrong.join(', ')}`,
  )
}

function contentOf({
  sequenceId,
  localAmount,
  channel,
  destination,
  sender,
  customerId,
  reason,
  forceAccept,
}: PaymentRequest): object {
  const { kind, ...details } = sender
  return {
    sequenceId,
    // Exact: it is below 2^31.
    localAmount: Number(localAmount),
    ...('id' in channel
      ? { channelId: channel.id }
      : { channelType: channel.type, country: channel.country, currency: channel.currency }),
    reason,
    forceAccept,
    customerUID: customerId,
    customerType: kind === 'person' ? 'retail' : 'institution',
    sender: details,
    destination,
  }
}
