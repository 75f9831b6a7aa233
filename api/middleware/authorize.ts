import type { Caller } from '../../src/accounts/caller.ts'
import { heldPermissions } from '../../src/apiKeys/heldPermissions.ts'
import { mayNameAddress, refundsAddress } from '../../src/apiKeys/refundAddress.ts'
import { refuseUnapproved } from '../../src/members/businessApproval.ts'
import { includesRole, type Role } from '../../src/members/role.ts'
import { isWithin } from '../../src/platform/addresses.ts'
import { ApiError, notFound } from '../../src/platform/errors.ts'
import { minRoleOf, type Operation } from '../contract.ts'

/** @throws ApiError 403 `address_not_allowed` */
export function requireAllowedAddress(networks: readonly string[] | null, address: string): void {
  if (networks !== null && !isWithin(address, networks))
    throw new ApiError(403, 'address_not_allowed', `This API key may not be used from ${address}`)
}

type Key = NonNullable<Caller['apiKey']>

/**
 * Whether an API key has the permission for an operation. A key without named permissions may read all that
 * members may read, now and later; it may change what its version allowed when it was made, and what owners
 * added.
 */
export function hasPermission(
  { permissions, writePermissions }: Pick<Key, 'permissions' | 'writePermissions'>,
  operation: Operation,
): boolean {
  if (operation['x-about-caller']) return true
  const permission = operation['x-permission']
  if (permissions !== null) return permissions.includes(permission)
  return operation['x-scope'] === 'write'
    ? writePermissions.includes(permission)
    : minRoleOf(operation) !== 'owner'
}

/**
 * Whether a key has a permission that owners give by name (`x-key-permission`), or may still do without it.
 */
export const hasKeyPermission = (key: Key, permission: string): boolean =>
  permission === refundsAddress ? mayNameAddress(key) : heldPermissions(key).includes(permission)

/**
 * Checks an API key's scope and permission.
 * @throws ApiError 403 `insufficient_scope`, `insufficient_permission`
 */
export function requireKeyPermission(key: Key, operation: Operation): void {
  const permission = operation['x-permission']
  if (operation['x-scope'] === 'write' && key.scope !== 'write')
    throw new ApiError(
      403,
      'insufficient_scope',
      `This needs a key with the scope write (permission ${permission})`,
    )
  if (!hasPermission(key, operation)) {
    throw new ApiError(
      403,
      'insufficient_permission',
      `This key does not have the permission ${permission}${hintFor(key, operation)}`,
    )
  }
}

function hintFor(key: Key, operation: Operation): string {
  if (operation['x-permission'] === 'wallets:send' && key.sentFromWalletsAt !== null)
    return '. It sent from stored wallets before this permission existed: an owner has to confirm in the dashboard (Settings, API keys) that it may'
  if (key.permissions !== null) return ''
  return minRoleOf(operation) === 'owner'
    ? ', which only an owner can give to a key'
    : ', which was added after the key was made: add it to the key'
}

/**
 * Checks a member's role.
 * @throws ApiError 403 `insufficient_role`
 */
export function requireRole(role: Role, operation: Operation): void {
  const min = minRoleOf(operation)
  if (min !== null && !includesRole(role, min))
    throw new ApiError(
      403,
      'insufficient_role',
      `This needs the role ${min} in the business; yours is ${role} (permission ${operation['x-permission']})`,
    )
}

/**
 * Refuses a caller whose role was lowered since the request was let in, even if the new role would suffice:
 * the request may rely on the old one.
 * @throws ApiError 403 `insufficient_role`
 */
export function requireNoLessThan(role: Role, before: Role): void {
  if (!includesRole(role, before))
    throw new ApiError(403, 'insufficient_role', `Your role in the business has changed: it is ${role} now`)
}

/** @throws ApiError 403 `business_not_approved`, `business_suspended` */
export function requireApproval(
  business: Caller['business'],
  environment: 'test' | 'live',
  operation: Operation,
): void {
  if (business && !operation['x-about-caller']) refuseUnapproved(business.approval, environment)
}

/** @throws ApiError 403 if the account belongs to no business; 404 if the named business is not its own */
export function requireBusiness(
  business: Caller['business'],
  asked: boolean,
): asserts business is NonNullable<Caller['business']> {
  if (business) return
  if (asked) throw notFound('Business')
  throw new ApiError(
    403,
    'no_business',
    'The access token is for no business: choose one of yours with X-Business-Id, or open one in the dashboard',
  )
}
