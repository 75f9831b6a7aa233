import type { Tone } from '../../ui/Badge.tsx'
import type { Session, SessionException, SessionPayment, SessionStatus, TimelineEntry } from './types.ts'

interface Words {
  label: string
  tone: Tone
}

export const statusLabels: Record<SessionStatus, Words> = {
  pending: { label: 'Waiting', tone: 'wait' },
  paid: { label: 'Paid', tone: 'good' },
  paid_out: { label: 'Paid out', tone: 'good' },
  expired: { label: 'Expired', tone: 'plain' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
}

export const exceptionLabels: Record<SessionException, string> = {
  none: 'As requested',
  underpaid: 'Too little came',
  overpaid: 'Too much came',
  late: 'It came late',
  wrong_token: 'Another token came',
  wrong_chain: 'It came on another network',
}

export const resolutionLabels: Record<NonNullable<Session['resolution']>, string> = {
  accepted: 'What came was accepted',
  left: 'It was left as it is',
}

export const paymentLabels: Record<SessionPayment['status'], Words> = {
  seen: { label: 'Not final yet', tone: 'wait' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  reverted: { label: 'Taken back by the chain', tone: 'bad' },
}

export const timelineLabels: Record<TimelineEntry['kind'], Words> = {
  created: { label: 'Created', tone: 'plain' },
  payment_seen: { label: 'Payment detected', tone: 'wait' },
  payment_confirmed: { label: 'Payment confirmed', tone: 'good' },
  payment_reverted: { label: 'Payment taken back by the chain', tone: 'bad' },
  paid: { label: 'Paid', tone: 'good' },
  expired: { label: 'Expired', tone: 'plain' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
  payout_created: { label: 'Payout created', tone: 'plain' },
  payout_sent: { label: 'Payout sent', tone: 'wait' },
  payout_completed: { label: 'Paid out', tone: 'good' },
  payout_failed: { label: 'Payout failed', tone: 'bad' },
  payout_cancelled: { label: 'Payout cancelled', tone: 'plain' },
  refund_created: { label: 'Refund created', tone: 'plain' },
  refund_sent: { label: 'Refund sent', tone: 'wait' },
  refund_completed: { label: 'Refunded', tone: 'good' },
  refund_failed: { label: 'Refund failed', tone: 'bad' },
  refund_cancelled: { label: 'Refund cancelled', tone: 'plain' },
}
