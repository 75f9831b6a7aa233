import type { Tone } from '../../ui/Badge.tsx'
import { moneyText } from '../../ui/Money.tsx'
import { readable } from '../books/readable.ts'
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
  if (localAmount !== null && localCurrency !== null) return moneyText(localAmount, localCurrency)
  if (amount !== null) return `${readable(amount).text} in the token`
  const unit = openAmount?.localCurrency ?? 'the token'
  const [min, max] = [openAmount?.min, openAmount?.max].map((each) => (each ? readable(each).text : null))
  if (min && max) return `Open, ${min} to ${max} in ${unit}`
  if (min) return `Open, ${min} or more in ${unit}`
  return max ? `Open, up to ${max} in ${unit}` : `Open, in ${unit}`
}
