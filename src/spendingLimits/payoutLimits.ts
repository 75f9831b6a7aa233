import { isHigher } from '../approvals/protections.ts'
import { formatUnits } from '../money/amount.ts'
import { dollarsOf } from '../pricing/dollars.ts'

export const limitNames = ['maxPerPayout', 'maxPerDay', 'approvalAbove'] as const
export type LimitName = (typeof limitNames)[number]

/** One limit, in US dollars; null: no limit. */
export interface PayoutLimit {
  value: string | null
  /** A higher limit that was requested. */
  next: { value: string | null; from: Date } | null
}
export type PayoutLimits = Readonly<Record<LimitName, PayoutLimit>>

const unlimited: PayoutLimit = { value: null, next: null }
export const noLimits: PayoutLimits = {
  maxPerPayout: unlimited,
  maxPerDay: unlimited,
  approvalAbove: unlimited,
}

/**
 * A lower limit applies at once. A higher one applies when the cooling-off time has passed, as a shorter
 * cooling-off time does. A second request that is no higher than the first keeps its moment.
 */
export function changedLimit(
  { value, next }: PayoutLimit,
  wanted: string | null,
  coolingOffHours: number,
  at: Date,
): PayoutLimit {
  if (!isHigher(value, wanted)) return { value: wanted, next: null }
  const from =
    next !== null && !isHigher(next.value, wanted)
      ? next.from
      : new Date(at.getTime() + coolingOffHours * 3_600_000)
  return limitAt({ value, next: { value: wanted, from } }, at)
}

/** The limit that applies at a moment. */
export const limitAt = ({ value, next }: PayoutLimit, at: Date): PayoutLimit =>
  next !== null && next.from <= at ? { value: next.value, next: null } : { value, next }

/** The same amount in its shortest form: `100.50` is `100.5`. */
export const shortest = (value: string | null): string | null => value && formatUnits(dollarsOf(value), 18)
