import type { Happening } from '../../ui/Timeline.tsx'
import { reasonLabels } from './reasonLabels.ts'
import type { Payout } from './types.ts'

const decisions = {
  approved: { title: 'Approved by a second owner', tone: 'good' },
  refused: { title: 'Refused by an owner', tone: 'bad' },
  expired: { title: 'Not approved in time', tone: 'bad' },
} as const

/** What happened to a payout, the oldest first: only what has a time. */
export function payoutTimeline({
  status,
  automatic,
  approval,
  reason,
  paidElsewhere,
  createdAt,
  updatedAt,
  completedAt,
}: Pick<
  Payout,
  'status' | 'automatic' | 'approval' | 'reason' | 'paidElsewhere' | 'createdAt' | 'updatedAt' | 'completedAt'
>): Happening[] {
  const happenings: Happening[] = [
    { at: createdAt, title: automatic ? 'Created when its payment was final' : 'Created' },
  ]
  if (approval && approval.state !== 'waiting' && approval.decidedAt !== null)
    happenings.push({ at: approval.decidedAt, ...decisions[approval.state] })
  const detail = reason === null ? {} : { detail: reasonLabels(reason) }
  if ((status === 'completed' || status === 'returned') && completedAt !== null)
    happenings.push({
      at: completedAt,
      title: paidElsewhere === null ? 'Paid' : 'Paid in another way',
      tone: 'good',
    })
  if (status === 'returned')
    happenings.push({ at: updatedAt, title: 'Returned by the bank', tone: 'bad', ...detail })
  else if (status === 'cancelled' && paidElsewhere !== null)
    happenings.push({ at: updatedAt, title: 'Marked as paid elsewhere' })
  else if (status === 'failed') happenings.push({ at: updatedAt, title: 'Failed', tone: 'bad', ...detail })
  else if (status === 'cancelled') happenings.push({ at: updatedAt, title: 'Cancelled', ...detail })
  else if (status === 'processing')
    happenings.push({ at: updatedAt, title: 'Last seen on its way', tone: 'wait', ...detail })
  else if (status === 'unknown')
    happenings.push({ at: updatedAt, title: 'Last request, without an answer', tone: 'bad', ...detail })
  return happenings
}
