import { textOf, trimmed } from '../formData.ts'
import type { Chain } from '../payments/accepted.ts'
import type { Plan, PlanRequest } from '../staking/types.ts'

type Terms = Omit<PlanRequest, 'chain' | 'token' | 'type'>

/** A percentage as the API takes it: not in scientific notation. */
export const percentOf = (percent: number): string => percent.toFixed(8).replace(/\.?0+$/, '')

/** A lock of 0 days has no penalty. */
export function lockOf({ lockDays, penaltyPercent }: Pick<Plan, 'lockDays' | 'penaltyPercent'>): string {
  if (lockDays === 0) return 'None'
  return `${lockDays} ${lockDays === 1 ? 'day' : 'days'}, penalty ${percentOf(penaltyPercent)} %`
}

/** The terms of a plan, as the form has them. */
export const termsOf = ({
  name,
  description,
  apy,
  lockDays,
  penaltyPercent,
  minAmount,
  maxAmount,
}: Plan): Terms => ({
  name,
  description,
  apy: percentOf(apy),
  lockDays,
  penaltyPercent: percentOf(penaltyPercent),
  minAmount,
  maxAmount,
})

export function readTerms(data: FormData): Terms {
  return {
    name: trimmed(data, 'name'),
    description: trimmed(data, 'description'),
    apy: trimmed(data, 'apy'),
    lockDays: Number(trimmed(data, 'lockDays')),
    penaltyPercent: trimmed(data, 'penaltyPercent'),
    minAmount: trimmed(data, 'minAmount'),
    maxAmount: trimmed(data, 'maxAmount'),
  }
}

export const readPlan = (data: FormData): PlanRequest => ({
  chain: textOf(data, 'chain') as Chain,
  token: trimmed(data, 'token'),
  type: textOf(data, 'type') as Plan['type'],
  ...readTerms(data),
})
