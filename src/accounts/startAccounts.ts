import type { ApiStart } from '../capability.ts'
import { knownHashes } from '../rateLimits/knownHashes.ts'
import type { BroughtContext } from '../routeContext.ts'
import { createPasswords } from './passwords.ts'
import { accountSettings } from './settings.ts'
import { readSessionHashes, sessionMs } from './signIns.ts'
import { createSigningKeys } from './signingKeys.ts'

type Brought = Pick<BroughtContext, 'passwords' | 'signingKeys' | 'factorPolicy' | 'knownSessions'>

/** Passwords, the keys of access tokens, and the dashboard's sessions. */
export function startAccounts({ db, log, metrics, appKey, settings, readyWhen }: ApiStart): Brought {
  const { SIGNING_KEY_DAYS, REQUIRE_SECOND_FACTOR } = settings(accountSettings)
  const signingKeys = createSigningKeys({ db, appKey, log }, SIGNING_KEY_DAYS)
  // Detect a changed APP_KEY now, not at the first sign-in.
  readyWhen({ name: 'signing-keys', check: async () => void (await signingKeys.published()) })
  return {
    passwords: createPasswords(metrics),
    signingKeys,
    factorPolicy: REQUIRE_SECOND_FACTOR,
    knownSessions: knownHashes((firstId) => readSessionHashes({ db }, firstId), sessionMs),
  }
}
