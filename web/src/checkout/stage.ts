import type { Checkout } from './types.ts'

/** What the page shows a customer, most important first. */
export type Stage =
  | 'waiting'
  | 'partly_paid'
  | 'seen'
  | 'confirming'
  | 'checking'
  | 'paid'
  | 'expired'
  | 'cancelled'

/**
 * The stage of a session.
 * @param now the server's time, in milliseconds: the clock of the customer's device may be wrong
 */
export function stageOf(checkout: Checkout, now: number): Stage {
  const { status, finality, confirmations, payments, amountMissing, expiresAt } = checkout
  if (status === 'paid' || status === 'paid_out') return 'paid'
  if (status === 'expired' || status === 'cancelled') return status
  const isSeen = payments.some((payment) => payment.status !== 'reverted' && payment.exception === 'none')
  if (isSeen && !isMore(amountMissing))
    return confirmations > 0 && finality === 'confirmations' ? 'confirming' : 'seen'
  // Payments up to this moment count: their blocks may not be read yet.
  if (now > Date.parse(expiresAt)) return 'checking'
  return isSeen ? 'partly_paid' : 'waiting'
}

/** True for a decimal string above zero. */
export const isMore = (amount: string): boolean => /[1-9]/.test(amount)

/** True while a customer should still send money. */
export const takesPayment = (stage: Stage): boolean => stage === 'waiting' || stage === 'partly_paid'

/** Time to an end as minutes and seconds, or hours before them. */
export function timeLeft(end: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(end) - now) / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
