import { z } from 'zod'
import { parseUnits } from '../money/amount.ts'
import { positive, type Settings, type SettingValues, url } from '../platform/settings.ts'

export const usdcDecimals = 6

/** What the operator allows. */
export interface BridgeLimits {
  /** Base units of USDC. */
  min: bigint
  /**
   * Of a business, within 24 hours: the treasury pays for each mint. Of all chains, and of those whose mints
   * cost most.
   */
  relaysPerDay: number
  relaysToPerDay: Readonly<Record<string, number>>
}

const wholeUsdc = z.string().refine((text) => (parseUnits(text, usdcDecimals) ?? 0n) > 0n, {
  message: 'must be an amount of USDC, such as 1',
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
    /** The minimum amount. */
    BRIDGE_MIN: wholeUsdc.default('1'),
    BRIDGE_MAX_RELAYS_PER_DAY: positive.default(1000),
    BRIDGE_MAX_RELAYS_TO_ETHEREUM_PER_DAY: positive.default(50),
    /** A mint on Solana pays the rent of accounts, up to 0.003 SOL. */
    BRIDGE_MAX_RELAYS_TO_SOLANA_PER_DAY: positive.default(200),
  },
} satisfies Settings

/** Of the worker. */
export const bridgeWorkerSettings = {
  variables: {
    ...bridgeSettings.variables,
    /** Until Circle is first queried for a burn; by default as long as it usually takes. */
    BRIDGE_FIRST_QUESTION_SECONDS: positive.optional(),
    BRIDGE_POLL_SECONDS: positive.default(15),
    /** How long Circle may take to mint by itself. */
    BRIDGE_FORWARD_SECONDS: positive.default(600),
  },
} satisfies Settings

/** What the operator allows of the bridge. */
export const bridgeLimitsOf = (values: SettingValues<typeof bridgeApiSettings>): BridgeLimits => ({
  min: parseUnits(values.BRIDGE_MIN, usdcDecimals) ?? 0n,
  relaysPerDay: values.BRIDGE_MAX_RELAYS_PER_DAY,
  relaysToPerDay: {
    ethereum: values.BRIDGE_MAX_RELAYS_TO_ETHEREUM_PER_DAY,
    solana: values.BRIDGE_MAX_RELAYS_TO_SOLANA_PER_DAY,
  },
})
