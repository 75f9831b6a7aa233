import type { NewEvent } from '../events/recordEvents.ts'
import type { PaymentView, SessionView } from './present.ts'

/** A session in the data of an event. */
export type SessionEventData = SessionView & {
  /** Number of oldest payments that were left out; absent if all are included. */
  paymentsOmitted?: number
}

/** A webhook body is limited to 20 kB; the rest of a session takes up to 6 kB. */
const maxPayments = 20
const maxPaymentBytes = 12_000

/** An event about a session, with the newest payments that fit a body. `GET /pos/sessions/{id}` returns all of them. */
export function sessionEvent(type: NewEvent['type'], view: SessionView, more: { payment?: PaymentView } = {}): NewEvent {
  const data = { ...withinBody(view), ...more }
  return { type, data, about: { chain: view.chain, address: view.address, symbol: view.token, amount: view.amountExpected, txId: null } }
}

function withinBody(view: SessionView): SessionEventData {
  let bytes = 0
  let kept = 0
  for (const payment of view.payments.toReversed()) {
    bytes += Buffer.byteLength(JSON.stringify(payment))
    if (kept === maxPayments || bytes > maxPaymentBytes) break
    kept++
  }
  const omitted = view.payments.length - kept
  return omitted === 0 ? view : { ...view, payments: view.payments.slice(omitted), paymentsOmitted: omitted }
}
