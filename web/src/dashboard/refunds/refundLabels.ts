import type { Tone } from '../../ui/Badge.tsx'
import type { Refund } from './types.ts'

export const refundStatusLabels: Record<Refund['status'], { label: string; tone: Tone }> = {
  awaiting_claim: { label: 'Link not used yet', tone: 'wait' },
  awaiting_approval: { label: 'Waiting for approval', tone: 'wait' },
  pending: { label: 'Waiting to be sent', tone: 'wait' },
  processing: { label: 'On its way', tone: 'wait' },
  unknown: { label: 'Not known', tone: 'bad' },
  completed: { label: 'Refunded', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'plain' },
}

export const kindLabels: Record<Refund['kind'], string> = {
  whole: 'All that came',
  excess: 'What came beyond the request',
  rest: 'All that is left',
  amount: 'An amount',
}

const open: readonly Refund['status'][] = ['awaiting_claim', 'awaiting_approval', 'pending']

/** Nothing can have left yet. */
export const isOpen = ({ status }: Pick<Refund, 'status'>): boolean => open.includes(status)

/** Its money is with the customer, or on its way there. */
export const counts = ({ status }: Pick<Refund, 'status'>): boolean =>
  status !== 'failed' && status !== 'cancelled'
