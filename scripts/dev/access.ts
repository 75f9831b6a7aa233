import { applyGrants, loginRoles } from '../../migrations/applyGrants.ts'
import { publicKeyOf } from '../../src/custody/proof.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { type DatabaseRole, databaseRoles } from '../../src/platform/database/grants.ts'
import { Secret } from '../../src/platform/secrets.ts'
import type { DevState } from './state.ts'

type Variables = Record<string, string>

const settingOf = (role: DatabaseRole) => `${role.toUpperCase()}_DATABASE_URL`

/**
 * Each process's database URL, with its own role. For the developer's own database, the environment names the
 * roles.
 */
export function roleUrlsOf(state: Pick<DevState, 'rolePasswords'>, databaseUrl: string): Variables {
  const isOurs = !process.env.DATABASE_URL
  return Object.fromEntries(
    databaseRoles.flatMap((role) => {
      const own =
        isOurs &&
        Object.assign(new URL(databaseUrl), {
          username: `cowry_${role}`,
          password: state.rolePasswords[role],
        }).href
      const url = process.env[settingOf(role)] || own
      return url ? [[settingOf(role), url]] : []
    }),
  )
}

/** Creates the roles of these URLs. @param databaseUrl of the owner */
export async function grantRoles(db: Db, databaseUrl: string, roleUrls: Variables): Promise<void> {
  const named = Object.fromEntries(databaseRoles.map((role) => [role, roleUrls[settingOf(role)]]))
  await applyGrants(db, await loginRoles(process.env.DATABASE_DIRECT_URL || databaseUrl, named))
}

/** The prefix of all Redis keys. */
export const queuePrefix = () => process.env.QUEUE_PREFIX || 'cowry'

/** The environment without each process's own credentials. */
export const withoutAccess = (env: Variables): Variables =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(\w+_)?DATABASE_URL$|_INTENT_(KEY|PUBLIC_KEYS)$/.test(name)),
  )

/** Each process's own credentials: its database URL, and its half of the intent keys. */
export function accessOf(
  state: Pick<DevState, 'intentKeys'>,
  databaseUrl: string,
  roleUrls: Variables,
): { cowry: Variables; treasury: Variables } {
  const keys = {
    API_INTENT_KEY: process.env.API_INTENT_KEY || state.intentKeys.api,
    WORKER_INTENT_KEY: process.env.WORKER_INTENT_KEY || state.intentKeys.worker,
  }
  const publicKeys = {
    API_INTENT_PUBLIC_KEYS:
      process.env.API_INTENT_PUBLIC_KEYS || publicKeyOf(new Secret(keys.API_INTENT_KEY)),
    WORKER_INTENT_PUBLIC_KEYS:
      process.env.WORKER_INTENT_PUBLIC_KEYS || publicKeyOf(new Secret(keys.WORKER_INTENT_KEY)),
  }
  const { TREASURY_DATABASE_URL = databaseUrl, ...ofCowry } = roleUrls
  // Parts without a role of their own use the owner's.
  const owner = Object.keys(ofCowry).length < databaseRoles.length - 1 ? { DATABASE_URL: databaseUrl } : {}
  return {
    cowry: { ...keys, ...publicKeys, ...ofCowry, ...owner },
    treasury: { DATABASE_URL: TREASURY_DATABASE_URL, ...publicKeys },
  }
}
