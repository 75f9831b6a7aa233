import type { Actor } from '../audit/recordAudit.ts'
import { includesRole, type Role } from '../members/role.ts'
import { canonicalNetwork } from '../platform/addresses.ts'
import { ApiError, type FieldMistake, invalidBody } from '../platform/errors.ts'
import type { KeyLimits, Scope } from './model.ts'

/** The permissions of the contract, each with its scope and the lowest role that may do the same. */
export type KnownPermissions = ReadonlyMap<string, { scope: Scope; minRole: Role }>

/** The caller who creates and changes keys. */
export interface KeyManager {
  actor: Actor
  /** In the business. */
  role: Role
}

const latest = Date.UTC(3000, 0, 1)

/** Requested limits; omitted ones are not checked. */
export interface WantedLimits {
  allowedAddresses?: string[] | null
  requestsPerMinute?: number | null
  permissions?: string[] | null
  /** ISO 8601. */
  expiresAt?: string | null
}

/**
 * Validates the limits of an API key (rate limit, addresses, permissions, expiry) and brings them into their
 * stored form.
 * @throws ApiError 400 naming every field that is wrong
 */
export function checkedLimits(
  wanted: WantedLimits,
  scope: Scope,
  known: KnownPermissions,
): Partial<KeyLimits> {
  const mistakes: FieldMistake[] = []
  const limits: Partial<KeyLimits> = {}
  if (wanted.requestsPerMinute !== undefined) limits.requestsPerMinute = wanted.requestsPerMinute
  if (wanted.allowedAddresses !== undefined)
    limits.allowedAddresses = wanted.allowedAddresses && networksOf(wanted.allowedAddresses, mistakes)
  if (wanted.permissions !== undefined) {
    mistakes.push(...problemsOf(wanted.permissions ?? [], scope, known))
    limits.permissions = wanted.permissions ? wanted.permissions.toSorted() : null
  }
  if (wanted.expiresAt !== undefined)
    limits.expiresAt = wanted.expiresAt === null ? null : timeOf(wanted.expiresAt, mistakes)
  if (mistakes.length > 0) throw invalidBody(...mistakes)
  return limits
}

function networksOf(texts: readonly string[], mistakes: FieldMistake[]): string[] {
  const networks = texts.map((text, index) => {
    const outcome = canonicalNetwork(text)
    if ('network' in outcome) return outcome.network
    mistakes.push({ field: `allowedAddresses.${index}`, message: outcome.problem, code: 'invalid_form' })
    return ''
  })
  return [...new Set(networks)]
}

function problemsOf(permissions: readonly string[], scope: Scope, known: KnownPermissions): FieldMistake[] {
  return permissions.flatMap((permission, index): FieldMistake[] => {
    const field = `permissions.${index}`
    const needed = known.get(permission)?.scope
    if (needed === undefined) return [{ field, message: 'is not a permission', code: 'unknown_value' }]
    return needed === 'write' && scope === 'read'
      ? [{ field, message: 'needs a key with the scope write', code: 'not_possible' }]
      : []
  })
}

/**
 * A caller cannot gain rights through a key: neither by creating it, nor by loosening its limits, nor by
 * rotating it.
 * @throws ApiError 403 `insufficient_role` naming the permission
 */
export function requireRoleFor(
  role: Role,
  permissions: readonly string[] | null | undefined,
  known: KnownPermissions,
): void {
  for (const permission of permissions ?? []) {
    const min = known.get(permission)?.minRole
    if (min !== undefined && !includesRole(role, min))
      throw new ApiError(
        403,
        'insufficient_role',
        `This needs the role ${min} in the business; yours is ${role} (permission ${permission})`,
      )
  }
}

function timeOf(text: string, mistakes: FieldMistake[]): Date {
  const at = new Date(text)
  if (!(at.getTime() < latest))
    mistakes.push({ field: 'expiresAt', message: 'is not a time before the year 3000', code: 'too_large' })
  else if (at.getTime() <= Date.now())
    mistakes.push({ field: 'expiresAt', message: 'must be in the future', code: 'not_in_future' })
  return at
}
