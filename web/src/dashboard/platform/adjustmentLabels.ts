import type { DashboardAnswerOf } from '../../../../client/index.ts'
import type { Tone } from '../../ui/Badge.tsx'

export type Adjustment = DashboardAnswerOf<'listAdjustments'>['adjustments'][number]
export type SuspendedPayment = DashboardAnswerOf<'listSuspense'>['payments'][number]
export type LedgerClose = DashboardAnswerOf<'listCloses'>['closes'][number]

export const adjustmentStates: Record<Adjustment['state'], { label: string; tone: Tone }> = {
  waiting: { label: 'Waiting', tone: 'wait' },
  approved: { label: 'Approved', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  expired: { label: 'Expired', tone: 'plain' },
}

export const suspenseStates: Record<SuspendedPayment['state'], { label: string; tone: Tone }> = {
  held: { label: 'In suspense', tone: 'wait' },
  given: { label: 'Given', tone: 'good' },
  returning: { label: 'Goes back', tone: 'wait' },
  returned: { label: 'Went back', tone: 'good' },
  reverted: { label: 'Taken back by a fork', tone: 'plain' },
}

/** A business's account with its business. */
export const accountOf = (name: string, { business }: Pick<Adjustment, 'business'>): string =>
  (name === 'available' || name === 'credit') && business ? `${name} of ${business.name}` : name
