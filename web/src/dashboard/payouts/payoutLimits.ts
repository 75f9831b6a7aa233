import type { DashboardBodyOf } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { trimmed } from '../formData.ts'
import type { PayoutSettings } from './types.ts'

export type LimitName = keyof PayoutSettings['nextLimits']

export const limitLabels: Record<LimitName, { label: string; hint: string }> = {
  maxPerPayout: { label: 'Per payout', hint: 'The largest payout or refund. Empty: no limit.' },
  maxPerDay: { label: 'Per day', hint: 'All payouts and refunds within any 24 hours. Empty: no limit.' },
  approvalAbove: {
    label: 'Approval above',
    hint: 'A payout or refund waits for a second owner if it is more together with those of a day that did not. Automatic payouts do not. Empty: never.',
  },
}

export const limitNames = Object.keys(limitLabels) as LimitName[]

/** The limit that was requested last: it may apply later. */
export const requestedLimit = (settings: PayoutSettings, name: LimitName): string | null => {
  const next = settings.nextLimits[name]
  return next ? next.value : settings[name]
}

const form = /^(0|[1-9][0-9]{0,17})(\.[0-9]{1,6})?$/

/**
 * The request of a sent form: only what has changed, so that a limit that waits keeps its time. @throws
 * FieldProblem
 */
export function limitsIn(settings: PayoutSettings, data: FormData): DashboardBodyOf<'setPayoutSettings'> {
  const problems: Record<string, string> = {}
  const changed: Partial<Record<LimitName, string | null>> = {}
  for (const name of limitNames) {
    const text = trimmed(data, name)
    if (text !== '' && !form.test(text))
      problems[name] = 'Enter an amount of US dollars, such as 2500 or 99.50.'
    const value = text === '' ? null : text
    if (value !== requestedLimit(settings, name)) changed[name] = value
  }
  if (Object.keys(problems).length > 0) throw new FieldProblem(problems)
  return { coolingOffHours: settings.next?.coolingOffHours ?? settings.coolingOffHours, ...changed }
}
