import type { Tone } from '../../ui/Badge.tsx'
import type { PaymentLink, PaymentLinkStatus } from './types.ts'

export const linkStatusLabels: Record<PaymentLinkStatus, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'good' },
  disabled: { label: 'Switched off', tone: 'plain' },
  expired: { label: 'Expired', tone: 'plain' },
  used: { label: 'Used', tone: 'plain' },
}

export const linkStatusChoices = Object.entries(linkStatusLabels).map(([value, { label }]) => ({
  value,
  label,
}))

/** What a link asks for, in words. */
export function amountOf({ amount, localAmount, localCurrency, openAmount }: PaymentLink): string {
  if (localAmount !== null) return `${localAmount} ${localCurrency}`
  if (amount !== null) return `${amount} in the token`
  const unit = openAmount?.localCurrency ?? 'the token'
  const [min, max] = [openAmount?.min ?? null, openAmount?.max ?? null]
  if (min !== null && max !== null) return `Open, ${min} to ${max} in ${unit}`
  if (min !== null) return `Open, ${min} or more in ${unit}`
  return max === null ? `Open, in ${unit}` : `Open, up to ${max} in ${unit}`
}
