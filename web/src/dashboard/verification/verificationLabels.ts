import type { Tone } from '../../ui/Badge.tsx'
import type { VerificationKey, VerificationStatus } from './types.ts'

export const verificationStatusLabels: Record<
  VerificationStatus,
  { label: string; tone: Tone; charge: string }
> = {
  pending_credit: { label: 'Waits for credit', tone: 'wait', charge: 'not held yet' },
  queued: { label: 'Queued', tone: 'wait', charge: 'held' },
  processing: { label: 'Being checked', tone: 'wait', charge: 'held' },
  completed: { label: 'Completed', tone: 'good', charge: 'charged' },
  failed: { label: 'Failed', tone: 'bad', charge: 'charged' },
  not_found: { label: 'Not found', tone: 'bad', charge: 'charged' },
  error: { label: 'Error', tone: 'bad', charge: 'not charged' },
}

export const keyKindLabels: Record<VerificationKey['kind'], string> = {
  secret: 'Secret',
  publishable: 'Publishable',
}
