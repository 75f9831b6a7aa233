import { randomUUID } from 'node:crypto'
import type { Clock } from './clock.ts'
import { costOf, isFinal, type Payment, type Status } from './payment.ts'

const second = 1000
const minute = 60 * second
/** How long a payment stays in a state (docs/events-api; the last three by our own choice). */
const lasts = {
  created: 1,
  pending_approval: 5 * minute,
  pending_liquidity: 120 * minute,
  process: second,
  processing: 2 * second,
  pending: 5 * second,
}

/** The payments of an account, and its balance in hundredths of dollars. */
export interface Payments {
  all(): readonly Payment[]
  /** What is neither spent nor reserved for a payment under way. */
  available(): bigint
  /** Payments that wait for liquidity go on, the oldest first. */
  topUp(usd: bigint): void
  add(request: NewPayment): Payment
  /** False: its state does not allow it. */
  accept(payment: Payment): boolean
  deny(payment: Payment): boolean
  /** The bank returns a payment that was complete: its amount is back in the account, its fee is not. */
  giveBack(payment: Payment): void
  /** Carries out everything that is due by now, in its order. */
  settle(): void
}

export type NewPayment = Pick<
  Payment,
  'sequenceId' | 'forceAccept' | 'local' | 'usd' | 'feeUsd' | 'rate' | 'outcome' | 'given'
>

/** @param changed called for each new state */
export function createPayments(clock: Clock, balance: bigint, changed: (payment: Payment) => void): Payments {
  const all: Payment[] = []
  let spent = 0n
  const isReserved = ({ status }: Payment) => status === 'processing' || status === 'pending'
  const reserved = () => all.filter(isReserved).reduce((sum, payment) => sum + costOf(payment), 0n)
  const available = () => balance - spent - reserved()

  function enter(payment: Payment, status: Status, at: number, errorCode: string | null = null): void {
    if (status === 'complete') spent += costOf(payment)
    // Two states of one payment never have the same time.
    const updatedAt = Math.max(at, payment.updatedAt + 1)
    Object.assign(payment, { status, since: at, updatedAt, errorCode })
    changed(payment)
  }

  /** The state after this one, when its time is over. */
  function nextOf(payment: Payment): [status: Status, errorCode?: string] {
    switch (payment.status) {
      case 'created':
        return [payment.forceAccept ? 'process' : 'pending_approval']
      case 'pending_approval':
        return ['expired']
      case 'process':
        return [costOf(payment) <= available() ? 'processing' : 'pending_liquidity']
      case 'pending_liquidity':
        return ['failed', 'INSUFFICIENT_LIQUIDITY']
      case 'processing':
        return ['pending']
      case 'pending':
        return payment.outcome === 'complete' ? ['complete'] : ['failed', 'REFUSED']
      default:
        throw new Error(`${payment.status} is final`)
    }
  }

  const dueAt = ({ status, since }: Payment): number =>
    isFinal(status) ? Number.POSITIVE_INFINITY : since + lasts[status as keyof typeof lasts]

  function settle(): void {
    for (;;) {
      const [next] = all
        .filter((payment) => dueAt(payment) <= clock.now())
        .sort((a, b) => dueAt(a) - dueAt(b))
      if (!next) return
      const [status, errorCode = null] = nextOf(next)
      enter(next, status, dueAt(next), errorCode)
    }
  }

  const awaits = ({ status }: Payment) => status === 'created' || status === 'pending_approval'
  return {
    all: () => all,
    available,
    topUp(usd) {
      balance += usd
      for (const payment of all)
        if (payment.status === 'pending_liquidity' && costOf(payment) <= available())
          enter(payment, 'processing', clock.now())
    },
    add(request) {
      const now = clock.now()
      const expiresAt = now + lasts.pending_approval
      const made: Payment = {
        ...request,
        id: randomUUID(),
        status: 'created',
        since: now,
        createdAt: now,
        updatedAt: now,
        expiresAt,
        errorCode: null,
      }
      all.push(made)
      changed(made)
      return made
    },
    accept(payment) {
      if (payment.forceAccept || !awaits(payment)) return false
      enter(payment, 'process', clock.now())
      return true
    },
    deny(payment) {
      if (payment.forceAccept || !awaits(payment)) return false
      enter(payment, 'failed', clock.now(), 'DENIED')
      return true
    },
    giveBack(payment) {
      if (payment.status !== 'complete') throw new Error(`${payment.status} was not paid`)
      spent -= payment.usd
      enter(payment, 'failed', clock.now(), 'RETURNED')
    },
    settle,
  }
}
