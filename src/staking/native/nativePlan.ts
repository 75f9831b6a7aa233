import type { Chain } from '../../chains/registry.ts'
import { invalidBody } from '../../platform/errors.ts'
import type { TermsRequest } from '../readTerms.ts'

type Lock = Pick<TermsRequest, 'lockDays' | 'penaltyPercent'>

/**
 * Native plans are of the coin of a chain on which wallets stake it themselves. @throws ApiError 400 naming
 * the field
 */
export function requireNative({ family, name, native }: Chain, contract: string | null, lock: Lock): void {
  if (family !== 'solana')
    throw invalidBody({ field: 'chain', message: `has no native stakes: ${name}`, code: 'not_possible' })
  if (contract !== null)
    throw invalidBody({
      field: 'token',
      message: `must be ${native.symbol} in a native plan`,
      code: 'not_possible',
    })
  requireNoLock(lock)
}

/** The chain locks nothing, and takes no penalty. @throws ApiError 400 naming the field */
export function requireNoLock({ lockDays, penaltyPercent }: Lock): void {
  if (lockDays !== 0)
    throw invalidBody({ field: 'lockDays', message: 'must be 0 in a native plan', code: 'not_possible' })
  if (Number(penaltyPercent) !== 0)
    throw invalidBody({
      field: 'penaltyPercent',
      message: 'must be 0 in a native plan',
      code: 'not_possible',
    })
}
