import { positive, publicKeys, type Settings, secret } from '../platform/settings.ts'

const pace = {
  TXMGR_RECONCILE_MS: positive.optional(),
  TXMGR_UNMINABLE_MS: positive.default(60_000),
  TXMGR_FEE_WAIT_MS: positive.default(24 * 3_600_000),
}

export const txmgrSettings = {
  api: { variables: { ...pace, API_INTENT_KEY: secret(32) } },
  worker: { variables: { ...pace, TXMGR_BUMP_AFTER_MS: positive.optional(), WORKER_INTENT_KEY: secret(32) } },
  /** Checks the proofs of the other two. */
  treasury: { variables: { API_INTENT_PUBLIC_KEYS: publicKeys, WORKER_INTENT_PUBLIC_KEYS: publicKeys } },
} satisfies Record<string, Settings>
