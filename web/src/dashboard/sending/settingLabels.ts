import type { SendApproval } from './types.ts'

type Setting = NonNullable<SendApproval['setting']>

export const settingLabels: Record<Setting['name'], string> = {
  payout_settings: 'Settings of payouts that allow more',
  autopayout: 'New targets of autopayout',
  second_factor: 'Two-step sign-in that is not required any more',
}

const fieldWords: Partial<Record<string, string>> = {
  coolingOffHours: 'cooling-off hours',
  excessHoldDays: 'days that an overpayment is held',
  maxPerPayout: 'per payout',
  maxPerDay: 'per day',
  approvalAbove: 'approval above',
  ownersNeedSecondFactor: 'required',
}

/** The fields of a setting in a line. */
export const writeSetting = (fields: Setting['before']): string =>
  Object.entries(fields)
    .map(([name, value]) => `${fieldWords[name] ?? name}: ${writeValue(name, value)}`)
    .join('; ')

function writeValue(name: string, value: unknown): string {
  if (value === null) return name === 'excessHoldDays' ? 'as the platform sets it' : 'no limit'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return String(value)
  const { enabled, destinationId } = value as { enabled?: boolean; destinationId?: string | null }
  return enabled ? `to destination ${destinationId}` : 'off'
}
