import { ApiError } from '../platform/errors.ts'

/** Production requires `approved`; `suspended` is refused everywhere. */
export type Approval = 'pending' | 'approved' | 'suspended'

/**
 * A suspended business may do nothing; production needs an approved one.
 * @throws ApiError 403 `business_not_approved`, `business_suspended`
 */
export function refuseUnapproved(approval: Approval, environment: 'test' | 'live'): void {
  if (approval === 'suspended') throw suspended()
  if (environment === 'live' && approval !== 'approved')
    throw new ApiError(403, 'business_not_approved', 'Production access requires an approved business')
}

export const suspended = (): ApiError =>
  new ApiError(403, 'business_suspended', 'The operator of this platform has suspended the business')

/**
 * SQL: the business requires a second factor of its members who may move money, at this moment. @param of its
 * alias
 */
export const requiresFactorSql = (of: string): string =>
  `(${of}.requires_second_factor and coalesce(${of}.second_factor_until > now(), true))`
