import type { DashboardAnswerOf } from '../../../../client/index.ts'
import type { Tone } from '../../ui/Badge.tsx'

export type PayoutPartner = DashboardAnswerOf<'listPayoutPartners'>['partners'][number]

export const topUpLabels: Record<NonNullable<PayoutPartner['topUp']>['status'], string> = {
  pending: 'waiting to be sent',
  processing: 'on its way',
  unknown: 'not known',
  completed: 'sent, not seen in the balance yet',
}

const names: Partial<Record<string, string>> = { yellowcard: 'Yellow Card' }

/** The name of the company. */
export const partnerName = ({ name }: Pick<PayoutPartner, 'name'>): string => names[name] ?? name

export function partnerState({ isConfigured, pause }: PayoutPartner): { label: string; tone: Tone } {
  if (pause) return { label: 'Paused', tone: 'bad' }
  return isConfigured ? { label: 'Active', tone: 'good' } : { label: 'No account', tone: 'plain' }
}
