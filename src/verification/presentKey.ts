import type { VerificationKey } from './model.ts'

const stateOf = ({ revokedAt, expiresAt }: VerificationKey): 'active' | 'expired' | 'revoked' => {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'active'
}

export const isActive = (key: VerificationKey): boolean => stateOf(key) === 'active'

const iso = (at: Date | null) => at?.toISOString() ?? null

/** A key as it is shown: everything but the secret. */
export const presentVerificationKey = (key: VerificationKey) => ({
  ...{
    id: key.id,
    name: key.name,
    kind: key.kind,
    prefix: key.prefix,
    origins: key.origins,
    state: stateOf(key),
  },
  createdAt: key.createdAt.toISOString(),
  createdBy: key.createdBy,
  expiresAt: iso(key.expiresAt),
  revokedAt: iso(key.revokedAt),
  lastUsedAt: iso(key.lastUsedAt),
  lastUsedAddress: key.lastUsedAddress,
  replacedBy: key.replacedBy,
})
