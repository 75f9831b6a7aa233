import { publicKeys, type Settings } from '../../platform/settings.ts'

const names = ['API_INTENT_PUBLIC_KEYS', 'WORKER_INTENT_PUBLIC_KEYS'] as const

/**
 * Of a worker with a payout partner: the keys of what it trusts of a payout before it is submitted, as the
 * treasury does.
 */
export const proofSettings = {
  variables: {
    API_INTENT_PUBLIC_KEYS: publicKeys.optional(),
    WORKER_INTENT_PUBLIC_KEYS: publicKeys.optional(),
  },
  mistakes(values: Readonly<Record<string, unknown>>) {
    if (values.YELLOWCARD_API_KEY === undefined) return []
    return names
      .filter((name) => values[name] === undefined)
      .map((name) => `${name} is not set: a worker with a payout partner needs it`)
  },
} satisfies Settings
