import type { Tone } from '../../ui/Badge.tsx'
import { difference } from '../refunds/refundable.ts'
import type { Session } from './types.ts'

/** The state of a payment in words: the large line, and what it means now. */
export interface SessionState {
  title: string
  detail: string
  tone: Tone
}

/** What still has to come, as a decimal; null if nothing, or no more than the business tolerates. */
export const missingOf = ({
  amountExpected,
  amountReceived,
  amountTolerated = '0',
}: Session): string | null =>
  difference([amountExpected], [amountReceived, amountTolerated]) &&
  difference([amountExpected], [amountReceived])

/** What came more than requested, as a decimal; null if nothing. */
const excessOf = ({ amountExpected, amountReceived }: Session): string | null =>
  difference([amountReceived], [amountExpected])

const counts = ({ status, exception }: Session['payments'][number]) =>
  status !== 'reverted' && exception === 'none'

/** True while a customer should still send money, and it would be in time. */
export const isPayable = (session: Session, now: number): boolean =>
  session.status === 'pending' && missingOf(session) !== null && now <= Date.parse(session.expiresAt)

/** @param now in milliseconds */
export function sessionState(session: Session, now: number): SessionState {
  const { status, token, amountReceived, amountExpected } = session
  const received = `${amountReceived} ${token}`
  switch (status) {
    case 'pending':
      return pendingState(session, now)
    case 'paid':
    case 'paid_out': {
      const excess = excessOf(session)
      const detail = excess ? `${received} came: ${excess} ${token} too much.` : `${received} came.`
      return status === 'paid'
        ? { title: 'Paid', detail, tone: 'good' }
        : { title: 'Paid out', detail: `${detail} It is paid out to you.`, tone: 'good' }
    }
    case 'expired':
      return { title: 'Expired', detail: expiredDetail(session), tone: 'plain' }
    case 'cancelled':
      return {
        title: 'Cancelled',
        detail: session.exception === 'late' ? `${received} came after it.` : 'Nothing more is expected.',
        tone: 'plain',
      }
    default:
      return { title: status, detail: `${received} of ${amountExpected} ${token} came.`, tone: 'plain' }
  }
}

function pendingState(session: Session, now: number): SessionState {
  const { token, amountReceived, amountExpected, payments, expiresAt } = session
  const missing = missingOf(session)
  const isSeen = payments.some(counts)
  if (isSeen && missing === null)
    return { title: 'Payment seen', detail: `All came. ${waitsFor(session)}`, tone: 'wait' }
  if (now > Date.parse(expiresAt))
    return {
      title: 'Checking the last blocks',
      detail: 'The time is over. What was sent in time still counts.',
      tone: 'wait',
    }
  if (isSeen)
    return {
      title: 'Part of it came',
      detail: `${amountReceived} of ${amountExpected} ${token} came. ${missing} ${token} are missing.`,
      tone: 'wait',
    }
  if (payments.some(({ status }) => status === 'reverted'))
    return {
      title: 'Waiting for payment',
      detail: 'The network took a payment back. It may come again by itself.',
      tone: 'wait',
    }
  return { title: 'Waiting for payment', detail: 'Nothing came yet.', tone: 'wait' }
}

const waitsFor = ({ finality, confirmations, requiredConfirmations }: Session): string =>
  finality === 'finalized'
    ? 'It waits until the network calls it final.'
    : `${Math.min(confirmations, requiredConfirmations)} of ${requiredConfirmations} confirmations.`

function expiredDetail({ exception, amountReceived, amountExpected, token }: Session): string {
  if (exception === 'late') return `${amountReceived} ${token} came after its time.`
  if (exception === 'underpaid') return `${amountReceived} of ${amountExpected} ${token} came in time.`
  return 'Nothing came in time.'
}

/** Time to an end: `9:05`, or with hours before it. */
export function timeLeft(end: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(end) - now) / 1000))
  const days = Math.floor(seconds / 86_400)
  if (days > 0) return days === 1 ? '1 day' : `${days} days`
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
