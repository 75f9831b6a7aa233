import type { NewEvent } from '../events/recordEvents.ts'
import type { PaymentView, SessionView, ShortRefund } from './present.ts'

/** A session in the data of an event. */
export type SessionEventData = Omit<SessionView, 'webhookUrl'> & {
  /** Number of oldest payments that were left out; absent if all are included. */
  paymentsOmitted?: number
  /** The same of refunds. */
  refundsOmitted?: number
}

/** A webhook body is limited to 20 kB; the rest of a session takes up to 6 kB. */
const maxPayments = 20
const maxBytes = 12_000
const maxRefunds = 5

/**
 * An event about a session, with the newest payments and refunds that fit a body. `GET /pos/sessions/{id}`
 * returns all of them.
 */
export function sessionEvent(
  type: NewEvent['type'],
  { webhookUrl, ...view }: SessionView,
  more: { payment?: PaymentView; refund?: ShortRefund } = {},
): NewEvent {
  const data = { ...withinBody(view), ...more }
  return {
    type,
    data,
    // Not in the data: other receivers get these, and a URL may hold a secret.
    callbackUrl: webhookUrl ?? null,
    about: {
      chain: view.chain,
      address: view.address,
      symbol: view.token,
      amount: view.amountExpected,
      txId: null,
    },
  }
}

function withinBody(view: Omit<SessionView, 'webhookUrl'>): SessionEventData {
  const refunds = view.refunds.slice(0, maxRefunds)
  const shown =
    refunds.length < view.refunds.length
      ? { ...view, refunds, refundsOmitted: view.refunds.length - refunds.length }
      : view
  let bytes = Buffer.byteLength(JSON.stringify(refunds))
  let kept = 0
  for (const payment of view.payments.toReversed()) {
    bytes += Buffer.byteLength(JSON.stringify(payment))
    if (kept === maxPayments || bytes > maxBytes) break
    kept++
  }
  const omitted = view.payments.length - kept
  return omitted === 0
    ? shown
    : { ...shown, payments: view.payments.slice(omitted), paymentsOmitted: omitted }
}
