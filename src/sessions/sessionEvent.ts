import type { NewEvent } from '../webhooks/recordEvents.ts'
import type { PaymentView, SessionView } from './present.ts'

/** A session as events tell it. */
export type SessionEventData = SessionView & {
  /** How many of the oldest payments are left out; absent where none is. */
  paymentsOmitted?: number
}

/** A webhook's body has 20 kB; the rest of a session takes up to 6. */
const maxPayments = 20
const maxPaymentBytes = 12_000

/** An event about the session as a whole. `GET /pos/sessions/{id}` has all of its payments; an event has the newest, as many as a body can hold. */
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
