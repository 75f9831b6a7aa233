import { z } from 'zod'
import { parseUnits } from '../chains/amount.ts'
import { positive, type Settings, url } from '../platform/settings.ts'

export const usdcDecimals = 6

const wholeUsdc = z.string().transform((text, context) => {
  const units = parseUnits(text, usdcDecimals)
  if (units !== null && units > 0n) return units
  context.addIssue({ code: 'custom', message: 'must be an amount of USDC, such as 1' })
  return z.NEVER
})

/** Of api and worker. Circle allows 35 requests a second of one address. */
export const bridgeSettings = {
  variables: {
    /** By default Circle's service of the deployment's networks. */
    CIRCLE_URL: url(['http:', 'https:']).optional(),
    CIRCLE_REQUESTS_PER_SECOND: positive.default(10),
  },
} satisfies Settings

/** Of the api. */
export const bridgeApiSettings = {
  variables: {
    ...bridgeSettings.variables,
    BRIDGE_MIN: wholeUsdc.prefault('1'),
    BRIDGE_MAX_RELAYS_PER_DAY: positive.default(1000),
  },
} satisfies Settings

/** Of the worker. */
export const bridgeWorkerSettings = {
  variables: {
    ...bridgeSettings.variables,
    /** Until Circle is first asked about a burn; by default as long as it usually takes. */
    BRIDGE_FIRST_QUESTION_SECONDS: positive.optional(),
    BRIDGE_POLL_SECONDS: positive.default(15),
    /** How long Circle may take to mint by itself. */
    BRIDGE_FORWARD_SECONDS: positive.default(600),
  },
} satisfies Settings
