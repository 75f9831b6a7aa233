import type { Tone } from '../../ui/Badge.tsx'
import type { VerificationKey, VerificationStatus } from './types.ts'

export const verificationStatusWords: Record<VerificationStatus, { label: string; tone: Tone }> = {
  pending_credit: { label: 'Waits for credit', tone: 'wait' },
  queued: { label: 'Queued', tone: 'wait' },
  processing: { label: 'Being checked', tone: 'wait' },
  completed: { label: 'Completed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  not_found: { label: 'Not found', tone: 'bad' },
  error: { label: 'Error', tone: 'bad' },
}

export const keyKindWords: Record<VerificationKey['kind'], string> = { secret: 'Secret', publishable: 'Publishable' }
