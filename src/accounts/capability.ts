import type { Capability } from '../capability.ts'

/** People: sign-in, second factors, passkeys, links by mail. */
export const accounts: Capability = {
  name: 'accounts',
  maintenance: [async ({ db }) => (await import('./passkeyChallenges.ts')).forgetChallenges(db)],
}
