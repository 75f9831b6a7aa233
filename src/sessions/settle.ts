import { detectionEvents, publishedStateOf } from '../monitoring/detectionEvents.ts'
import type { SessionException, SessionStatus } from './model.ts'

/**
 * The session state machine: what a session *is*, given everything that is known about it now. It is asked again
 * whenever something changed and answers with the difference. So it does not matter how often, or in
 * which order, the news arrives.
 */

export type PaymentStatus = 'seen' | 'confirmed' | 'reverted'
export type PaymentException = 'none' | 'late' | 'wrong_token' | 'wrong_chain'
/** The business's account that holds a payment: `pending` while its session is, `available` after. */
export type Bucket = 'none' | 'pending' | 'available'

/** One movement to the session's address. */
export interface Payment {
  detectionId: string
  chain: string
  token: string
  /** Base units. */
  amount: bigint
  blockTime: Date
  status: PaymentStatus
  /** Counts how often a fork brought the movement back. */
  generation: number
  /** What the session made of it the last time; null: nothing yet. */
  last: { status: PaymentStatus; generation: number; posted: Bucket } | null
}

export interface SessionState {
  status: SessionStatus
  chain: string
  token: string
  amountExpected: bigint
  /** Confirmed and in time, the last time. */
  amountSettled: bigint
  expiresAt: Date
}

export interface Settled {
  status: SessionStatus
  exception: SessionException
  amountReceived: bigint
  amountSettled: bigint
  /** Whether the chain's confirmed time has passed `expiresAt`. */
  timeOver: boolean
  payments: { detectionId: string; status: PaymentStatus; generation: number; exception: PaymentException; posted: Bucket }[]
  /** Money to move between the business's accounts. */
  moves: { payment: Payment; from: Bucket; to: Bucket }[]
  /** What is in its account, and went and came back since it was posted: perhaps with another amount. */
  recounted: Payment[]
  /** In the order of what happened. */
  events: SettledEvent[]
}

export type SettledEvent =
  | { type: 'transaction.detected' | 'transaction.confirmed' | 'transaction.reverted'; payment: Payment }
  | { type: 'session.late'; payment: Payment }
  | { type: 'session.detected' | 'session.paid' | 'session.overpaid' | 'session.underpaid' | 'session.expired' | 'session.reversed' }

/**
 * @param confirmedTime time of the newest block of the session's chain that is deep enough; null: none yet
 */
export function settle(session: SessionState, payments: readonly Payment[], confirmedTime: Date | null): Settled {
  const timeOver = confirmedTime !== null && confirmedTime > session.expiresAt
  const kinds = new Map(payments.map((payment) => [payment, exceptionOfPayment(session, payment)]))
  const is = (payment: Payment, ...kind: PaymentException[]) => kind.includes(kinds.get(payment) as PaymentException)
  const alive = payments.filter((payment) => payment.status !== 'reverted')

  const amountReceived = sum(alive.filter((payment) => is(payment, 'none', 'late')))
  const inTime = sum(alive.filter((payment) => is(payment, 'none')))
  const amountSettled = sum(alive.filter((payment) => is(payment, 'none') && payment.status === 'confirmed'))

  // Money that came in time and is not final yet: a large payment may wait for longer than the session does.
  const stillOpen = alive.some((payment) => is(payment, 'none') && payment.status === 'seen')
  const status = nextStatus(session, amountSettled, timeOver && !stillOpen)
  const bucketNow = (payment: Payment): Bucket => (payment.status !== 'confirmed' ? 'none' : status === 'pending' ? 'pending' : 'available')

  const shown = new Set(alive.map((payment) => kinds.get(payment)))
  const exception: SessionException = shown.has('wrong_token')
    ? 'wrong_token'
    : shown.has('wrong_chain')
      ? 'wrong_chain'
      : shown.has('late')
        ? 'late'
        : inTime > 0n && inTime < session.amountExpected
          ? 'underpaid'
          : inTime > session.amountExpected
            ? 'overpaid'
            : 'none'

  return {
    status,
    exception,
    amountReceived,
    amountSettled,
    timeOver,
    payments: payments.map((payment) => ({
      detectionId: payment.detectionId,
      status: payment.status,
      generation: payment.generation,
      exception: kinds.get(payment) as PaymentException,
      posted: bucketNow(payment),
    })),
    moves: payments
      .map((payment) => ({ payment, from: payment.last?.posted ?? 'none', to: bucketNow(payment) }))
      .filter(({ from, to }) => from !== to),
    recounted: payments.filter((payment) => {
      const to = bucketNow(payment)
      return to !== 'none' && payment.last?.posted === to && payment.last.generation !== payment.generation
    }),
    events: [
      ...payments.flatMap((payment) => newsOf(payment).flatMap((type) => (type === 'transaction.confirmed' ? [] : [{ type, payment }]))),
      ...(payments.every((payment) => payment.last === null || payment.last.status === 'reverted') && alive.length > 0
        ? [{ type: 'session.detected' as const }]
        : []),
      ...payments.filter(newlyConfirmed).map((payment) => ({ type: 'transaction.confirmed' as const, payment })),
      ...payments.filter((payment) => is(payment, 'late') && newlyConfirmed(payment)).map((payment) => ({ type: 'session.late' as const, payment })),
      ...statusEvents(session, status),
      ...(status === 'paid' &&
      amountSettled > session.amountExpected &&
      (session.status !== 'paid' || session.amountSettled <= session.amountExpected)
        ? [{ type: 'session.overpaid' as const }]
        : []),
      ...(status === 'expired' && session.status === 'pending' && inTime > 0n ? [{ type: 'session.underpaid' as const }] : []),
    ],
  }
}

/** Only what the registry knows by name is ever detected, so what is not the session's token is another known asset. */
export function exceptionOfPayment(
  session: Pick<SessionState, 'status' | 'chain' | 'token' | 'expiresAt'>,
  payment: Pick<Payment, 'chain' | 'token' | 'blockTime'>,
): PaymentException {
  if (payment.token !== session.token) return 'wrong_token'
  if (payment.chain !== session.chain) return 'wrong_chain'
  // A cancelled session takes no payment: whatever still comes is the business's, and is told as late.
  return session.status === 'cancelled' || payment.blockTime > session.expiresAt ? 'late' : 'none'
}

/**
 * pending → paid when enough is confirmed; pending → expired when the chain's confirmed time has passed, it was not, and
 * nothing that came in time waits to be confirmed. A fork takes `paid` back; and one that brings money in time back revives an expired session.
 */
function nextStatus(session: SessionState, amountSettled: bigint, timeOver: boolean): SessionStatus {
  if (session.status === 'cancelled' || session.status === 'paid_out') return session.status
  if (amountSettled >= session.amountExpected) return 'paid'
  return timeOver ? 'expired' : session.status === 'expired' ? 'expired' : 'pending'
}

function statusEvents(session: SessionState, status: SessionStatus): SettledEvent[] {
  if (status === session.status) return []
  if (status === 'paid') return [{ type: 'session.paid' }]
  if (session.status === 'paid') return [{ type: 'session.reversed' }]
  return [{ type: 'session.expired' }]
}

/** What is to be told of the movement itself, since receivers were last told. */
const newsOf = (payment: Payment) => detectionEvents(payment, payment.last && publishedStateOf(payment.last))

const newlyConfirmed = (payment: Payment) => newsOf(payment).includes('transaction.confirmed')

const sum = (payments: readonly Payment[]) => payments.reduce((total, payment) => total + payment.amount, 0n)
