import { z } from 'zod'
import { Secret } from '../platform/secrets.ts'
import { positive, type Settings, type SettingValues, url } from '../platform/settings.ts'
import type { RateLimits } from './decideRate.ts'

const credentials = ['YELLOWCARD_API_KEY', 'YELLOWCARD_SECRET_KEY'] as const

/** Of every process that queries the partner. */
export const partnerSettings = {
  variables: {
    YELLOWCARD_URL: url(['http:', 'https:']).default('https://api.yellowcard.io'),
    YELLOWCARD_API_KEY: z.string().min(1).optional(),
    YELLOWCARD_SECRET_KEY: z
      .string()
      .min(1)
      .transform((text) => new Secret(text))
      .optional(),
    RATE_MAX_AGE_SECONDS: positive.default(900),
    RATE_MAX_JUMP_PERCENT: positive.default(10),
    RATE_MAX_SPREAD_PERCENT: positive.default(10),
  },
  mistakes(values: Readonly<Record<string, unknown>>) {
    const missing = credentials.filter((name) => values[name] === undefined)
    if (missing.length !== 1) return []
    return [
      `${missing[0]} is not set, but ${credentials.find((name) => name !== missing[0])} is: set both, or remove both`,
    ]
  },
} satisfies Settings

/** Of the api: how long a quote is valid. */
export const pricingSettings = {
  variables: { ...partnerSettings.variables, QUOTE_SECONDS: positive.default(120) },
  mistakes: partnerSettings.mistakes,
} satisfies Settings

/** The limits of exchange rates, from the settings. */
export const rateLimitsOf = (
  values: Pick<SettingValues<typeof partnerSettings>, 'RATE_MAX_JUMP_PERCENT' | 'RATE_MAX_SPREAD_PERCENT'>,
): RateLimits => ({
  maxJumpPercent: values.RATE_MAX_JUMP_PERCENT,
  maxSpreadPercent: values.RATE_MAX_SPREAD_PERCENT,
})
