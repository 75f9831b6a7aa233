import type { Happening } from '../../ui/Timeline.tsx'
import { reasonText } from './transferLabels.ts'
import type { Transfer } from './types.ts'

const decisions = {
  approved: { title: 'Approved by a second owner', tone: 'good' },
  refused: { title: 'Refused by an owner', tone: 'bad' },
  expired: { title: 'Not approved in time', tone: 'bad' },
} as const

/** What happened to a transfer, the oldest first: only what has a time. */
export function transferTimeline(
  transfer: Pick<
    Transfer,
    'status' | 'reason' | 'message' | 'approval' | 'txHash' | 'blockHeight' | 'createdAt' | 'updatedAt'
  >,
): Happening[] {
  const { status, reason, approval, txHash, blockHeight, createdAt, updatedAt } = transfer
  const why = reasonText(transfer)
  const detail = why === null ? {} : { detail: `${why}.` }
  const happenings: Happening[] = [{ at: createdAt, title: 'Requested' }]
  if (approval && approval.state !== 'waiting' && approval.decidedAt !== null)
    happenings.push({ at: approval.decidedAt, ...decisions[approval.state] })
  if (status === 'confirmed')
    happenings.push({
      at: updatedAt,
      title: blockHeight === null ? 'Sent' : `Sent, in block ${blockHeight}`,
      tone: 'good',
    })
  else if (status === 'failed')
    happenings.push({
      at: updatedAt,
      title: reason === 'cancelled' ? 'Cancelled' : 'Failed',
      ...(reason === 'cancelled' ? {} : { tone: 'bad' as const }),
      ...detail,
    })
  else if (txHash !== null)
    happenings.push({ at: updatedAt, title: 'Last seen on its way', tone: 'wait', ...detail })
  return happenings
}
