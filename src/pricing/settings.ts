import { z } from 'zod'
import { Secret } from '../platform/secrets.ts'
import { positive, type Settings, type SettingValues, url } from '../platform/settings.ts'
import type { RateLimits } from './decideRate.ts'
import { type FixedRate, parseFixedRates } from './fixedRates.ts'

const credentials = ['YELLOWCARD_API_KEY', 'YELLOWCARD_SECRET_KEY'] as const
const yellowCardUrl = 'https://api.yellowcard.io'

/** Of every process that queries the partner. */
export const partnerSettings = {
  variables: {
    YELLOWCARD_URL: url(['http:', 'https:']).default(yellowCardUrl),
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
    if (missing.length === 1)
      return [
        `${missing[0]} is not set, but ${credentials.find((name) => name !== missing[0])} is: set both, or remove both`,
      ]
    const isAlone =
      missing.length === 2 && values.YELLOWCARD_URL !== undefined && values.YELLOWCARD_URL !== yellowCardUrl
    return isAlone
      ? [`YELLOWCARD_URL is set, but ${credentials.join(' and ')} are not: set all of them, or remove all`]
      : []
  },
} satisfies Settings

/** The name of the second source of rates, in answers and in the database. */
export const openExchangeRates = 'openexchangerates'

/** Of the processes that use the second source's rates, which are in the database. */
const usedRateSettings = {
  OPENEXCHANGERATES_URL: url(['http:', 'https:']).default('https://openexchangerates.org/api'),
  OPENEXCHANGERATES_MAX_AGE_SECONDS: positive.default(10_800),
  RATES_MAX_DIFFERENCE_PERCENT: positive.max(100).default(2),
}

/** Of the worker, which requests the rates of the second source. */
export const feedSettings = {
  variables: {
    ...usedRateSettings,
    OPENEXCHANGERATES_APP_ID: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be an App ID, without spaces')
      .transform((text) => new Secret(text))
      .optional(),
    OPENEXCHANGERATES_TIMEOUT_MS: positive.default(5000),
    OPENEXCHANGERATES_POLL_SECONDS: positive.default(3600),
  },
  mistakes(values: Readonly<Record<string, unknown>>) {
    const [poll, maxAge] = [values.OPENEXCHANGERATES_POLL_SECONDS, values.OPENEXCHANGERATES_MAX_AGE_SECONDS]
    return typeof poll === 'number' && typeof maxAge === 'number' && poll >= maxAge
      ? ['OPENEXCHANGERATES_MAX_AGE_SECONDS must be more than OPENEXCHANGERATES_POLL_SECONDS']
      : []
  },
} satisfies Settings

/** Fixed rates of the operator. Their age is no mistake: a process starts with them, and refuses to use them. */
const fixedRates = z.string().transform((text, context): FixedRate[] => {
  const { rates, mistakes } = parseFixedRates(text, new Date())
  for (const message of mistakes) context.addIssue({ code: 'custom', message })
  return rates
})

/** Of the worker: the partner's settings, and those of the second source. */
export const workerPricingSettings = {
  variables: { ...partnerSettings.variables, ...feedSettings.variables },
  mistakes: (values: Readonly<Record<string, unknown>>) => [
    ...partnerSettings.mistakes(values),
    ...feedSettings.mistakes(values),
  ],
} satisfies Settings

/** Of the api: the sources of prices, and how long a quote is valid. */
export const pricingSettings = {
  variables: {
    ...partnerSettings.variables,
    ...usedRateSettings,
    RATES: fixedRates.default([]),
    RATES_MAX_AGE_DAYS: positive.default(7),
    QUOTE_SECONDS: positive.default(120),
  },
  mistakes: partnerSettings.mistakes,
} satisfies Settings

/** The limits of exchange rates, from the settings. */
export const rateLimitsOf = (
  values: Pick<SettingValues<typeof partnerSettings>, 'RATE_MAX_JUMP_PERCENT' | 'RATE_MAX_SPREAD_PERCENT'>,
): RateLimits => ({
  maxJumpPercent: values.RATE_MAX_JUMP_PERCENT,
  maxSpreadPercent: values.RATE_MAX_SPREAD_PERCENT,
})
