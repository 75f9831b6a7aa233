import type { Tone } from '../../ui/Badge.tsx'
import type { Collection, CollectionSettlement, CollectionStatus } from './types.ts'

export const collectionStatusLabels: Record<CollectionStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Waiting for the partner', tone: 'wait' },
  processing: { label: 'Waiting for the money', tone: 'wait' },
  completed: { label: 'Completed', tone: 'good' },
  expired: { label: 'Expired', tone: 'plain' },
  failed: { label: 'Failed', tone: 'bad' },
  refunded: { label: 'Refunded', tone: 'plain' },
}

export const settlementLabels: Record<CollectionSettlement, { label: string; tone: Tone }> = {
  none: { label: 'Nothing yet', tone: 'plain' },
  seen: { label: 'Seen, not confirmed', tone: 'wait' },
  confirmed: { label: 'Confirmed', tone: 'good' },
  mismatch: { label: 'Does not match', tone: 'bad' },
}

export const accountTypeLabels = { bank: 'A bank account', momo: 'Mobile money' } as const

/** The partner can still cancel it. */
export const isOpen = ({ status }: Pick<Collection, 'status'>): boolean =>
  status === 'pending' || status === 'processing'

/** The partner's answer is final. */
export const isFinal = ({ status }: Pick<Collection, 'status'>): boolean =>
  status === 'completed' || status === 'refunded'
