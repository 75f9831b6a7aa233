import { type Caller, includesRole, type Role } from '../../src/accounts/caller.ts'
import { isWithin } from '../../src/platform/addresses.ts'
import { ApiError, notFound } from '../../src/platform/errors.ts'
import { leastRoleOf, type Operation } from '../contract.ts'

/** @throws ApiError 403 `address_not_allowed` */
export function requireAllowedAddress(networks: readonly string[] | null, address: string): void {
  if (networks !== null && !isWithin(address, networks))
    throw new ApiError(403, 'address_not_allowed', `This API key may not be used from ${address}`)
}

/** Whether an API key may do something, as far as its permissions go. What only owners may do must be named; the rest is in a key without limits. */
export function hasPermission({ permissions }: Pick<NonNullable<Caller['apiKey']>, 'permissions'>, operation: Operation): boolean {
  if (operation['x-about-caller']) return true
  return permissions === null ? leastRoleOf(operation) !== 'owner' : permissions.includes(operation['x-permission'])
}

/**
 * What an API key may do.
 * @throws ApiError 403 `insufficient_scope`, `insufficient_permission`
 */
export function requireKeyPermission(key: NonNullable<Caller['apiKey']>, operation: Operation): void {
  const permission = operation['x-permission']
  if (operation['x-scope'] === 'write' && key.scope !== 'write')
    throw new ApiError(403, 'insufficient_scope', `This needs a key with the scope write (permission ${permission})`)
  if (!hasPermission(key, operation)) {
    const hint = key.permissions === null ? ', which an owner has to name' : ''
    throw new ApiError(403, 'insufficient_permission', `This key does not have the permission ${permission}${hint}`)
  }
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
 * Who was let in with a role that they have no more is refused, also where the one they have would be enough: what they began may go by the first.
 * @throws ApiError 403 `insufficient_role`
 */
export function requireNoLessThan(role: Role, before: Role): void {
  if (!includesRole(role, before)) throw new ApiError(403, 'insufficient_role', `Your role in the business was changed meanwhile: it is ${role} now`)
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
