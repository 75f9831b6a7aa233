import { z } from 'zod'
import { Secret } from '../platform/secrets.ts'
import { positive, type Settings, url } from '../platform/settings.ts'

const key = z
  .string()
  .min(1)
  .transform((text) => new Secret(text))
  .optional()

/** The requests a second are those of the providers' free plans. */
export const swapSettings = {
  variables: {
    ZEROX_URL: url(['http:', 'https:']).default('https://api.0x.org'),
    ZEROX_API_KEY: key,
    ZEROX_REQUESTS_PER_SECOND: positive.default(5),
    JUPITER_URL: url(['http:', 'https:']).default('https://api.jup.ag'),
    JUPITER_API_KEY: key,
    JUPITER_REQUESTS_PER_SECOND: positive.default(1),
  },
} satisfies Settings
