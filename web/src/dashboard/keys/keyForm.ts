import type { DashboardBodyOf } from '../../../../client/index.ts'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { fromZoneInput } from '../../ui/zone.ts'
import { textOf, trimmed } from '../formData.ts'
import type { ApiKey } from '../types.ts'

export type KeyLimits = Required<
  Pick<
    DashboardBodyOf<'createKey'>,
    'name' | 'allowedAddresses' | 'requestsPerMinute' | 'permissions' | 'expiresAt'
  >
>

/**
 * The fields shared by a new key and a changed one.
 * @param timeZone by which the expiry was entered
 * @throws FieldProblem
 */
export function readLimits(data: FormData, timeZone: string): KeyLimits {
  const permissions = textOf(data, 'limit') === 'some' ? data.getAll('permissions').map(String) : null
  if (permissions?.length === 0)
    throw new FieldProblem({ permissions: 'Choose at least one, or allow everything.' })
  return {
    name: trimmed(data, 'name'),
    allowedAddresses: linesOf(textOf(data, 'allowedAddresses')),
    requestsPerMinute: trimmed(data, 'requestsPerMinute') ? Number(trimmed(data, 'requestsPerMinute')) : null,
    permissions,
    expiresAt: readExpiry(textOf(data, 'expiresAt'), timeZone),
  }
}

/** One address per line; null if there is no address. */
export function linesOf(text: string): string[] | null {
  const lines = text.split(/[\n,]/).map((line) => line.trim())
  const given = lines.filter((line) => line !== '')
  return given.length > 0 ? given : null
}

function readExpiry(value: string, timeZone: string): string | null {
  const at = fromZoneInput(value, timeZone)
  if (at && Date.parse(at) <= Date.now())
    throw new FieldProblem({ expiresAt: 'Choose a time in the future.' })
  return at ?? null
}

/** Fields that differ from the key: the API keeps fields that are left out. */
export function changesOf(key: ApiKey, wanted: KeyLimits): Partial<KeyLimits> {
  const changes: Partial<KeyLimits> = {}
  if (wanted.name !== key.name) changes.name = wanted.name
  if (!sameList(wanted.allowedAddresses, key.allowedAddresses))
    changes.allowedAddresses = wanted.allowedAddresses
  if (wanted.requestsPerMinute !== key.requestsPerMinute) changes.requestsPerMinute = wanted.requestsPerMinute
  if (!sameList(sorted(wanted.permissions), sorted(key.permissions))) changes.permissions = wanted.permissions
  if (toMinute(wanted.expiresAt) !== toMinute(key.expiresAt)) changes.expiresAt = wanted.expiresAt
  return changes
}

const sorted = (list: string[] | null | undefined) => (list ? [...list].sort() : null)

function sameList(one: string[] | null | undefined, other: string[] | null | undefined): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** The input shows no seconds: ignore them. */
const toMinute = (iso: string | null | undefined) => (iso ? iso.slice(0, 16) : null)
