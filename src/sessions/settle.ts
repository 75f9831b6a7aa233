import { detectionEvents, publishedStateOf } from '../monitoring/detectionEvents.ts'
import type { SessionException, SessionStatus } from './model.ts'

/**
 * The session state machine: computes a session's state from everything known now, and returns the changes.
 * It runs after every change; order and repetition do not matter.
 */

export type PaymentStatus = 'seen' | 'confirmed' | 'reverted'
export type PaymentException = 'none' | 'late' | 'wrong_token' | 'wrong_chain'
/** The business's account that holds a payment: `pending` while the session is pending, `available` after. */
export type Bucket = 'none' | 'pending' | 'available'

/** One transfer to the session's address. */
export interface Payment {
  detectionId: string
  chain: string
  token: string
  /** Base units. */
  amount: bigint
  blockTime: Date
  status: PaymentStatus
  /** How often a fork brought the transfer back. */
  generation: number
  /** The last settled state; null: not settled yet. */
  last: { status: PaymentStatus; generation: number; posted: Bucket; held: bigint } | null
}

export interface SessionState {
  status: SessionStatus
  chain: string
  token: string
  amountExpected: bigint
  /** What is enough: `amountExpected`, less what its business tolerates (`tolerated.ts`). */
  minAmount: bigint
  /** Confirmed and in time, when last settled. */
  amountSettled: bigint
  /**
   * Money that came in time, up to here, is the business's once the session is paid. More is an excess, which
   * stays `pending` (`excess.ts`).
   */
  excessAbove: bigint
  /**
   * A person accepted what came in place of the expected amount, and no fork has taken a part of it away
   * (`isStillAccepted`).
   */
  isAccepted: boolean
  expiresAt: Date
}

export interface Settled {
  status: SessionStatus
  exception: SessionException
  amountReceived: bigint
  amountSettled: bigint
  /** What stays `pending` of a session that is paid: the excess. */
  excess: bigint
  /** True if the chain's confirmed time has passed `expiresAt`. */
  timeOver: boolean
  payments: {
    detectionId: string
    status: PaymentStatus
    generation: number
    exception: PaymentException
    posted: Bucket
    held: bigint
  }[]
  /** Money to move between the business's accounts. */
  moves: Move[]
  /** Payments in the right account that were reverted and came back since, possibly with another amount. */
  recounted: Payment[]
  /** In order of occurrence. */
  events: SettledEvent[]
}

export interface Move {
  payment: Payment
  from: Bucket
  to: Bucket
  /** The part of a payment in `available` that stays in `pending`. */
  held: bigint
}

export type SettledEvent =
  | { type: 'transaction.detected' | 'transaction.confirmed' | 'transaction.reverted'; payment: Payment }
  | { type: 'session.late'; payment: Payment }
  | {
      type:
        | 'session.detected'
        | 'session.paid'
        | 'session.paid_out'
        | 'session.overpaid'
        | 'session.underpaid'
        | 'session.expired'
        | 'session.reversed'
    }

/** Whether the automatic payout of a session has reached its destination. */
export type PayoutState = 'none' | 'completed'

export const isPaid = (status: SessionStatus): boolean => status === 'paid' || status === 'paid_out'

/** @param confirmedTime time of the newest confirmed block of the session's chain; null: no such block yet */
export function settle(
  session: SessionState,
  payments: readonly Payment[],
  confirmedTime: Date | null,
  payout: PayoutState = 'none',
): Settled {
  const timeOver = confirmedTime !== null && confirmedTime > session.expiresAt
  const kinds = new Map(payments.map((payment) => [payment, exceptionOfPayment(session, payment)]))
  const is = (payment: Payment, ...kind: PaymentException[]) =>
    kind.includes(kinds.get(payment) as PaymentException)
  const alive = payments.filter((payment) => payment.status !== 'reverted')

  const amountReceived = sum(alive.filter((payment) => is(payment, 'none', 'late')))
  const inTime = sum(alive.filter((payment) => is(payment, 'none')))
  const amountSettled = sum(alive.filter((payment) => is(payment, 'none') && payment.status === 'confirmed'))

  // Money that came in time but is not final: a large payment may take longer than the session.
  const stillOpen = alive.some((payment) => is(payment, 'none') && payment.status === 'seen')
  const status = paidOut(nextStatus(session, amountSettled, timeOver && !stillOpen), payout)
  const excess =
    isPaid(status) && amountSettled > session.excessAbove ? amountSettled - session.excessAbove : 0n
  const held = excessOf(
    alive.filter((payment) => is(payment, 'none') && payment.status === 'confirmed'),
    excess,
  )
  const heldNow = (payment: Payment): bigint => held.get(payment) ?? 0n
  const bucketNow = (payment: Payment): Bucket => bucketOf(payment, status)

  const shown = new Set(alive.map((payment) => kinds.get(payment)))
  const exception = exceptionOfSession(shown, inTime, session)

  return {
    status,
    exception,
    amountReceived,
    amountSettled,
    excess,
    timeOver,
    payments: payments.map((payment) => ({
      detectionId: payment.detectionId,
      status: payment.status,
      generation: payment.generation,
      exception: kinds.get(payment) as PaymentException,
      posted: bucketNow(payment),
      held: heldNow(payment),
    })),
    moves: payments
      .map((payment) => ({
        payment,
        from: payment.last?.posted ?? 'none',
        to: bucketNow(payment),
        held: heldNow(payment),
      }))
      .filter(({ payment, from, to, held }) => from !== to || held !== (payment.last?.held ?? 0n)),
    recounted: payments.filter((payment) => {
      const to = bucketNow(payment)
      const { last } = payment
      return (
        to !== 'none' &&
        last?.posted === to &&
        last.held === heldNow(payment) &&
        last.generation !== payment.generation
      )
    }),
    events: eventsOf(session, payments, { status, amountSettled, inTime, kinds }),
  }
}

/** Its events, in the order in which they are recorded. */
function eventsOf(
  session: SessionState,
  payments: readonly Payment[],
  now: {
    status: SessionStatus
    amountSettled: bigint
    inTime: bigint
    kinds: ReadonlyMap<Payment, PaymentException>
  },
): SettledEvent[] {
  const events: SettledEvent[] = []
  for (const payment of payments)
    for (const type of newEvents(payment))
      if (type !== 'transaction.confirmed') events.push({ type, payment })
  if (isFirstDetection(payments)) events.push({ type: 'session.detected' })
  const confirmed = payments.filter(newlyConfirmed)
  for (const payment of confirmed) events.push({ type: 'transaction.confirmed', payment })
  for (const payment of confirmed)
    if (now.kinds.get(payment) === 'late') events.push({ type: 'session.late', payment })
  events.push(...statusEvents(session, now.status))
  const wasOverpaid = isPaid(session.status) && session.amountSettled > session.amountExpected
  if (isPaid(now.status) && now.amountSettled > session.amountExpected && !wasOverpaid)
    events.push({ type: 'session.overpaid' })
  if (now.status === 'expired' && session.status === 'pending' && now.inTime > 0n)
    events.push({ type: 'session.underpaid' })
  return events
}

/** There is a payment, and there was none before. */
const isFirstDetection = (payments: readonly Payment[]): boolean =>
  payments.some(({ status }) => status !== 'reverted') &&
  payments.every(({ last }) => last === null || last.status === 'reverted')

/** Where the money of a payment belongs in a session of this status. */
function bucketOf(payment: Payment, status: SessionStatus): Bucket {
  if (payment.status !== 'confirmed') return 'none'
  return status === 'pending' ? 'pending' : 'available'
}

/**
 * A kind of payment comes first; without one, how much of the requested amount came in time. What its
 * business tolerates is no exception.
 */
function exceptionOfSession(
  shown: ReadonlySet<PaymentException | undefined>,
  inTime: bigint,
  { amountExpected, minAmount }: SessionState,
): SessionException {
  for (const kind of ['wrong_token', 'wrong_chain', 'late'] as const) if (shown.has(kind)) return kind
  if (inTime > 0n && inTime < minAmount) return 'underpaid'
  return inTime > amountExpected ? 'overpaid' : 'none'
}

/** Divides an excess among the payments that count: the last ones brought it. */
function excessOf(payments: readonly Payment[], excess: bigint): Map<Payment, bigint> {
  const held = new Map<Payment, bigint>()
  let left = excess
  for (const payment of payments.toSorted(byTime).reverse()) {
    const part = smallerOf(left, payment.amount)
    if (part > 0n) held.set(payment, part)
    left -= part
  }
  return held
}

const smallerOf = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** One order for every reader of the payments. */
export const byTime = (
  a: Pick<Payment, 'blockTime' | 'detectionId'>,
  b: Pick<Payment, 'blockTime' | 'detectionId'>,
): number => a.blockTime.getTime() - b.blockTime.getTime() || (a.detectionId < b.detectionId ? -1 : 1)

/** Only known assets are detected, so a token that is not the session's is another known asset. */
export function exceptionOfPayment(
  session: Pick<SessionState, 'status' | 'chain' | 'token' | 'expiresAt'>,
  payment: Pick<Payment, 'chain' | 'token' | 'blockTime'>,
): PaymentException {
  if (payment.token !== session.token) return 'wrong_token'
  if (payment.chain !== session.chain) return 'wrong_chain'
  // A late payment: mined after the session's expiry, or to a cancelled session. It is credited to the
  // business and reported as late.
  return session.status === 'cancelled' || payment.blockTime > session.expiresAt ? 'late' : 'none'
}

/**
 * pending → paid when enough is confirmed. pending → expired when the chain's confirmed time has passed the
 * end, and no payment that came in time waits for confirmation. Enough is what was requested less what is
 * tolerated, or what a person accepted, while a fork takes nothing of it away. A fork can revert `paid`, and can revive an expired session by bringing
 * back money that came in time.
 */
function nextStatus(session: SessionState, amountSettled: bigint, timeOver: boolean): SessionStatus {
  if (session.status === 'cancelled' || session.status === 'paid_out') return session.status
  if (session.isAccepted || amountSettled >= session.minAmount) return 'paid'
  return timeOver || session.status === 'expired' ? 'expired' : 'pending'
}

/** A session whose payout is completed is paid out while it is paid, and stays so. */
const paidOut = (status: SessionStatus, payout: PayoutState): SessionStatus =>
  status === 'paid' && payout === 'completed' ? 'paid_out' : status

function statusEvents(session: SessionState, status: SessionStatus): SettledEvent[] {
  if (status === session.status) return []
  if (status === 'paid_out') return [...statusEvents(session, 'paid'), { type: 'session.paid_out' }]
  if (status === 'paid') return [{ type: 'session.paid' }]
  if (session.status === 'paid') return [{ type: 'session.reversed' }]
  return [{ type: 'session.expired' }]
}

/** Events about the transfer that were not published yet. */
const newEvents = (payment: Payment) =>
  detectionEvents(payment, payment.last && publishedStateOf(payment.last))

const newlyConfirmed = (payment: Payment) => newEvents(payment).includes('transaction.confirmed')

const sum = (payments: readonly Payment[]) => payments.reduce((total, payment) => total + payment.amount, 0n)
