import { isMore, type Stage, timeLeft } from '../checkout/stage.ts'
import type { Checkout } from '../checkout/types.ts'

/** The state in the cashier's words: a large line, and what to do. */
export function stateText(checkout: Checkout, stage: Stage, now: number): string[] {
  const { token, amountExpected, amountReceived, amountMissing, exception, expiresAt } = checkout
  switch (stage) {
    case 'waiting':
      return ['Waiting for the payment', `${timeLeft(expiresAt, now)} left`]
    case 'partly_paid':
      return [
        `${amountReceived} of ${amountExpected} ${token} has arrived`,
        `${amountMissing} ${token} is missing: the code is for the rest. ${timeLeft(expiresAt, now)} left`,
      ]
    case 'seen':
      return ['Seen', 'It is paid as soon as the network calls it final.']
    case 'confirming':
      return [
        `Confirming ${checkout.confirmations} of ${checkout.requiredConfirmations}`,
        'The customer has paid. Wait until it is confirmed.',
      ]
    case 'checking':
      return ['Time is over', 'The last blocks are checked: a payment that was sent in time still counts.']
    case 'paid':
      return exception === 'overpaid'
        ? ['Paid', `The customer sent more than was asked for: ${amountReceived} ${token}.`]
        : ['Paid']
    case 'expired':
      return ['Expired', endText()]
    case 'cancelled':
      return ['Cancelled', exception === 'late' ? lateText : 'The customer must not send anything now.']
  }

  function endText(): string {
    if (exception === 'late') return lateText
    return isMore(amountReceived)
      ? `Only ${amountReceived} of ${amountExpected} ${token} arrived. A colleague with the dashboard accepts it or pays it back.`
      : 'Nothing arrived. Make a new payment if the customer still wants to pay.'
  }
}

const lateText = 'Money came after the end. A colleague with the dashboard accepts it or pays it back.'
