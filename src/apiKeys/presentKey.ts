import type { Db } from '../platform/database/db.ts'
import type { ApiKey, Scope } from './model.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

/** A key as it is shown: everything but the secret. */
export interface KeyView {
  id: string
  name: string
  prefix: string
  scope: Scope
  state: KeyState
  allowedAddresses: string[] | null
  requestsPerMinute: number | null
  permissions: string[] | null
  writePermissions: string[]
  sentFromWalletsAt: string | null
  refundAddressUntil: string | null
  createdAt: string
  createdBy: string | null
  expiresAt: string | null
  revokedAt: string | null
  lastUsedAt: string | null
  lastUsedAddress: string | null
  replacedBy: string | null
}

export function stateOf(key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>): KeyState {
  if (key.revokedAt) return 'revoked'
  return key.expiresAt && key.expiresAt.getTime() <= Date.now() ? 'expired' : 'active'
}

const iso = (at: Date | null | undefined) => at?.toISOString() ?? null

export function presentKey(key: ApiKey, createdBy: string | null): KeyView {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scope: key.scope,
    state: stateOf(key),
    ...limitsOf(key),
    writePermissions: key.writePermissions,
    sentFromWalletsAt: iso(key.sentFromWalletsAt),
    refundAddressUntil: iso(key.refundAddressUntil),
    createdAt: key.createdAt.toISOString(),
    createdBy,
    revokedAt: iso(key.revokedAt),
    lastUsedAt: iso(key.lastUsedAt),
    lastUsedAddress: key.lastUsedAddress ?? null,
    replacedBy: key.replacedBy ?? null,
  }
}

/** The limits of a key, as they are shown and audited. */
export const limitsOf = (key: ApiKey) => ({
  allowedAddresses: key.allowedAddresses ?? null,
  requestsPerMinute: key.requestsPerMinute ?? null,
  permissions: key.permissions ?? null,
  expiresAt: iso(key.expiresAt),
})

/** The email addresses of accounts. */
export async function emailsOf(
  ctx: { db: Db },
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null && id !== undefined))]
  if (wanted.length === 0) return new Map()
  const rows = await ctx.db.query<{ id: string; email: string }>(
    'select id, email from accounts where id = any($1)',
    [wanted],
  )
  return new Map(rows.map(({ id, email }) => [id, email]))
}

export async function showKey(ctx: { db: Db }, key: ApiKey): Promise<KeyView> {
  const emails = await emailsOf(ctx, [key.createdBy])
  return presentKey(key, emails.get(key.createdBy ?? '') ?? null)
}
