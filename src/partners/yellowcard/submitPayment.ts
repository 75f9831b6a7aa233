import { parseDecimal } from '../../chains/amount.ts'
import type { PartnerPayment, PaymentRequest } from '../../partnerPayments/partner.ts'
import { PartnerError } from '../../partnerPayments/partnerError.ts'
import type { YellowCardAccount } from './account.ts'
import { pathsOf } from './names.ts'
import { paymentForm } from './payment.ts'
import { post } from './request.ts'

/** `localAmount` is an integer of 32 bits. */
const maxLocalAmount = 2n ** 31n - 1n

/**
 * Submits a payment, by https://docs.yellowcard.engineering/reference/submit-payment: of `amount` (US dollars) and `localAmount` "either one is
 * required, but not both"; with `forceAccept` it is processed at once.
 * @throws PartnerError `outcome_unknown` also if the answer is not about this payment: it may have been made
 */
export async function submitPayment(account: YellowCardAccount, request: PaymentRequest): Promise<PartnerPayment> {
  const { sequenceId, localAmount } = request
  if (localAmount < 1n || localAmount > maxLocalAmount)
    throw new PartnerError('refused', `Yellow Card takes amounts from 1 to ${maxLocalAmount} in whole units`, { code: 'AmountOutOfRange' })
  const payment = await post(account, pathsOf(account).submit, contentOf(request), paymentForm, { changes: true })
  const wrong = [
    ...(payment.sequenceId === sequenceId ? [] : ['sequenceId']),
    ...(isAmount(payment.localAmount, localAmount) ? [] : ['convertedAmount']),
    ...('currency' in request.channel && payment.currency !== request.channel.currency ? ['currency'] : []),
  ]
  if (wrong.length === 0) return payment
  throw new PartnerError('outcome_unknown', `Yellow Card answered a submitted payment with another ${wrong.join(', ')}`)
}

function contentOf({ sequenceId, localAmount, channel, destination, sender, customerId, reason, forceAccept }: PaymentRequest): object {
  const { kind, ...details } = sender
  return {
    sequenceId,
    // Exact: it is below 2^31.
    localAmount: Number(localAmount),
    ...('id' in channel ? { channelId: channel.id } : { channelType: channel.type, country: channel.country, currency: channel.currency }),
    reason,
    forceAccept,
    customerUID: customerId,
    customerType: kind === 'person' ? 'retail' : 'institution',
    sender: details,
    destination,
  }
}

/** True if an exact decimal is this whole amount: `50`, or `50.00`. */
function isAmount(text: string | null, amount: bigint): boolean {
  const decimal = text === null ? null : parseDecimal(text)
  return decimal !== null && decimal.value === amount * 10n ** BigInt(decimal.scale)
}
