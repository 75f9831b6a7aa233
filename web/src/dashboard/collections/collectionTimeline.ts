import type { Happening } from '../../ui/Timeline.tsx'
import { reasonLabels } from '../payouts/reasonLabels.ts'
import { collectionStatusLabels, settlementLabels } from './collectionLabels.ts'
import type { Collection } from './types.ts'

/** What is known of a collection with its time, the oldest first. */
export function collectionTimeline({
  status,
  reason,
  settlement,
  expiresAt,
  createdAt,
  updatedAt,
}: Pick<
  Collection,
  'status' | 'reason' | 'settlement' | 'expiresAt' | 'createdAt' | 'updatedAt'
>): Happening[] {
  const { label, tone } = collectionStatusLabels[status]
  const known = [
    label,
    ...(reason === null ? [] : [reasonLabels(reason)]),
    ...(settlement === 'none'
      ? []
      : [`Settlement on the chain: ${settlementLabels[settlement].label.toLowerCase()}`]),
  ]
  const happenings: Happening[] = [
    { at: createdAt, title: 'Created' },
    ...(status === 'expired' && expiresAt !== null
      ? [{ at: expiresAt, title: 'The time to pay was over' }]
      : []),
    // Only the time of the last change is known, and the state has one of its own.
    ...(updatedAt === createdAt
      ? []
      : [{ at: updatedAt, title: 'Last change', tone, detail: `${known.join('. ')}.` }]),
  ]
  return happenings.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}
