import { z } from 'zod'
import { Secret } from '../platform/secrets.ts'
import { positive, type Settings, secret, url } from '../platform/settings.ts'

/** Of the treasury: how many free deposit addresses it keeps, and below which number it derives more. */
export const poolSettings = {
  variables: {
    POOL_TARGET: positive.default(500),
    POOL_LOW_WATER: positive.default(200),
  },
} satisfies Settings

/** An alias could be pointed to another key later, and only the ARN names the region. */
const keyArn = z.string().regex(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, {
  message: 'must be the ARN of a key: arn:aws:kms:<region>:<account>:key/<id>',
})

const text = z.string().transform((value) => new Secret(value))

/**
 * Of the treasury: the key that wraps the seed's data key and those of `wallet_keys`, and the one before it
 * while rows are rolled.
 */
export const keyProviderSettings = {
  variables: {
    SEED_KEY_PROVIDER: z.enum(['env', 'aws-kms']).default('env'),
    SEED_KEY: secret(32).optional(),
    SEED_KEY_PREVIOUS: secret(32).optional(),
    KMS_KEY_ARN: keyArn.optional(),
    KMS_KEY_ARN_PREVIOUS: keyArn.optional(),
    KMS_TIMEOUT_MS: positive.default(5000),
    AWS_ENDPOINT_URL_KMS: url(['http:', 'https:']).optional(),
    // Read by AWS's library, which searches other places without them.
    AWS_ACCESS_KEY_ID: z.string().optional(),
    AWS_SECRET_ACCESS_KEY: text.optional(),
    AWS_SESSION_TOKEN: text.optional(),
  },
  // A value with a mistake of its own is not there at all.
  mistakes: (values) => {
    const needed = { env: 'SEED_KEY', 'aws-kms': 'KMS_KEY_ARN' }[String(values.SEED_KEY_PROVIDER)]
    return needed !== undefined && needed in values && values[needed] === undefined
      ? [`${needed} is not set`]
      : []
  },
} satisfies Settings

export const treasurySettings = {
  variables: { ...poolSettings.variables, ...keyProviderSettings.variables },
  mistakes: keyProviderSettings.mistakes,
} satisfies Settings
