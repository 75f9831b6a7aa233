import { requireAmount } from '../chains/requireAmount.ts'
import { parseUnits } from '../money/amount.ts'
import { invalidBody } from '../platform/errors.ts'
import { percentScale } from './rewards.ts'

/** The terms of a plan as an operator sends them: whole units and percentages. */
export interface TermsRequest {
  name: string
  description: string
  apy: string
  lockDays: number
  penaltyPercent: string
  minAmount: string
  maxAmount: string
}

/** As they are stored: amounts in base units. */
export interface Terms extends Omit<TermsRequest, 'minAmount' | 'maxAmount'> {
  minAmount: bigint
  maxAmount: bigint
}

const [maxApy, maxPenalty] = ['1000', '100']

/** @throws ApiError 400 naming the field */
export function readTerms(request: TermsRequest, decimals: number): Terms {
  requirePercent('apy', request.apy, maxApy)
  requirePercent('penaltyPercent', request.penaltyPercent, maxPenalty)
  const [minAmount, maxAmount] = [
    requireAmount(request.minAmount, decimals, 'minAmount'),
    requireAmount(request.maxAmount, decimals, 'maxAmount'),
  ]
  if (maxAmount < minAmount)
    throw invalidBody({ field: 'maxAmount', message: 'must not be below minAmount', code: 'invalid_range' })
  return { ...request, minAmount, maxAmount }
}

function requirePercent(field: string, text: string, max: string): void {
  const [value, limit] = [parseUnits(text, percentScale), parseUnits(max, percentScale)]
  if (value === null || limit === null || value > limit)
    throw invalidBody({ field, message: `must be ${max} or less`, code: 'too_large' })
}

/** Shown in the audit log. */
export const shownTerms = ({
  name,
  description,
  apy,
  lockDays,
  penaltyPercent,
  minAmount,
  maxAmount,
}: TermsRequest) => ({
  name,
  description,
  apy,
  lockDays,
  penaltyPercent,
  minAmount,
  maxAmount,
})
