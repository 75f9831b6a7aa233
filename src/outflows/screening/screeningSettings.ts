import { z } from 'zod'
import { Secret } from '../../platform/secrets.ts'
import { type Settings, url } from '../../platform/settings.ts'

const names = ['SCREENING_URL', 'SCREENING_SECRET'] as const

/**
 * Of the worker: the operator's own service that gets a request for each payout and refund before it leaves.
 */
export const screeningSettings = {
  variables: {
    SCREENING_URL: url(['http:', 'https:']).optional(),
    SCREENING_SECRET: z
      .string()
      .regex(/^whsec_(?=.{32,88}$)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, {
        message: 'must be whsec_ and 24 to 64 bytes in base64',
      })
      .transform((text) => new Secret(text))
      .optional(),
  },
  mistakes(values) {
    const missing = names.filter((name) => values[name] === undefined)
    if (missing.length !== 1) return []
    return [
      `${missing[0]} is not set, but ${names.find((name) => name !== missing[0])} is: set both, or remove both`,
    ]
  },
} satisfies Settings
