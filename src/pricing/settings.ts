import { z } from 'zod'
import { Secret } from '../platform/secrets.ts'
import { positive, type Settings, url } from '../platform/settings.ts'

export const pricingSettings = {
  variables: {
    YELLOWCARD_URL: url(['http:', 'https:']).default('https://api.yellowcard.io'),
    YELLOWCARD_API_KEY: z.string().min(1),
    YELLOWCARD_SECRET_KEY: z
      .string()
      .min(1)
      .transform((text) => new Secret(text)),
    RATE_MAX_AGE_SECONDS: positive.default(900),
    QUOTE_SECONDS: positive.default(120),
  },
} satisfies Settings
