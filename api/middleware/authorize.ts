import { type Caller, includesRole, type Role } from '../../src/accounts/caller.ts'
import { isWithin } from '../../src/platform/addresses.ts'
import { ApiError, notFound } from '../../src/platform/errors.ts'
import type { LeastRole, Operation } from '../contract.ts'

/** The least role that an operation needs; an operation of accounts or operators needs none in a business. */
export function leastRoleOf(operation: Operation): LeastRole | null {
  const role = operation['x-role']
  if (role === 'account' || role === 'operator') return null
  return role ?? (operation['x-scope'] === 'read' ? 'viewer' : 'developer')
}

/** @throws ApiError 403 `address_not_allowed` */
export function requireAllowedAddress(networks: readonly string[] | null, address: string): void {
  if (networks !== null && !isWithin(address, networks))
    throw new ApiError(403, 'address_not_allowed', `This API key may not be used from ${address}`)
}

/**
 * What an API key may do.
 * @throws ApiError 403 `insufficient_scope`, `insufficient_permission`
 */
export function requireKeyPermission(key: NonNullable<Caller['apiKey']>, operation: Operation): void {
  const permission = operation['x-permission']
  if (operation['x-scope'] === 'write' && key.scope !== 'write')
    throw new ApiError(403, 'insufficient_scope', `This needs a key with the scope write (permission ${permission})`)
  if (key.permissions !== null && !operation['x-about-caller'] && !key.permissions.includes(permission))
    throw new ApiError(403, 'insufficient_permission', `This key does not have the permission ${permission}`)
}

/**
 * What a member of a business may do.
 * @throws ApiError 403 `insufficient_role`
 */
export function requireRole(role: Role, operation: Operation): void {
  const least = leastRoleOf(operation)
  if (least !== null && !includesRole(role, least))
    throw new ApiError(
      403,
      'insufficient_role',
      `This needs the role ${least} in the business; yours is ${role} (permission ${operation['x-permission']})`,
    )
}

/**
 * A suspended business may do nothing; production takes only approved ones.
 * @throws ApiError 403 `business_not_approved`, `business_suspended`
 */
export function requireApproval(business: Caller['business'], environment: 'test' | 'live', operation: Operation): void {
  if (!business || operation['x-about-caller']) return
  if (business.approval === 'suspended') throw suspended()
  if (environment === 'live' && business.approval !== 'approved')
    throw new ApiError(403, 'business_not_approved', 'Production access requires an approved business')
}

export const suspended = (): ApiError => new ApiError(403, 'business_suspended', 'The operator of this platform has suspended the business')

/** @throws ApiError 403 where an account belongs to no business; 404 where it was asked for one that is not its own */
export function requireBusiness(business: Caller['business'], asked: boolean): asserts business is NonNullable<Caller['business']> {
  if (business) return
  if (asked) throw notFound('Business')
  throw new ApiError(
    403,
    'no_business',
    'The access token speaks for no business: choose one of yours with X-Business-Id, or open one in the dashboard',
  )
}
