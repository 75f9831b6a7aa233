import { z } from 'zod'
import { type Settings, url } from '../platform/settings.ts'
import { parseOwnSecret } from '../webhooks/secret.ts'

const names = ['SCREENING_URL', 'SCREENING_SECRET'] as const

/** Of the worker: the operator's own service that is asked about each payout and refund before it leaves. */
export const screeningSettings = {
  variables: {
    SCREENING_URL: url(['http:', 'https:']).optional(),
    SCREENING_SECRET: z
      .string()
      .transform((text, context) => {
        const secret = parseOwnSecret(text)
        if (secret) return secret
        context.addIssue({ code: 'custom', message: 'must be whsec_ and 24 to 64 bytes in base64' })
        return z.NEVER
      })
      .optional(),
  },
  mistakes(values) {
    const missing = names.filter((name) => values[name] === undefined)
    if (missing.length !== 1) return []
    return [`${missing[0]} is not set, but ${names.find((name) => name !== missing[0])} is: set both, or remove both`]
  },
} satisfies Settings
