import { z } from 'zod'
import { addressCodec } from '../chains/codecs.ts'
import { knownChain, tokenOf } from '../chains/registry.ts'
import { dollarDecimals, parseUnits } from '../money/amount.ts'
import type { Settings } from '../platform/settings.ts'

/** Where a partner takes top-ups. */
export interface TopUpPlace {
  chain: string
  token: string
  /** Normal form. */
  address: string
}

/** `polygon:USDC:0x…`. */
const place = z.string().transform((text, context): TopUpPlace => {
  const [name = '', symbol = '', ...rest] = text.split(':')
  const chain = knownChain(name)
  const address = chain && rest.length === 1 ? addressCodec(chain.family).normalise(rest[0] ?? '') : null
  if (chain && tokenOf(chain, symbol) && address) return { chain: name, token: symbol, address }
  context.addIssue({ code: 'custom', message: 'must be <chain>:<token>:<address>, such as polygon:USDC:0x…' })
  return z.NEVER
})

const dollarAmount = z
  .string()
  .refine((text) => (parseUnits(text, dollarDecimals) ?? 0n) > 0n, {
    message: 'must be an amount of US dollars, such as 5000',
  })
  .transform((text) => parseUnits(text, dollarDecimals) ?? 0n)

/** Of the treasury, which sends nothing elsewhere as a top-up, and of the worker. */
export const topUpPlaceSettings = { variables: { YELLOWCARD_TOP_UP: place.optional() } } satisfies Settings

/** Of the worker: a balance below the first amount is topped up to the second one. */
export const topUpSettings = {
  variables: {
    ...topUpPlaceSettings.variables,
    YELLOWCARD_TOP_UP_BELOW: dollarAmount.optional(),
    YELLOWCARD_TOP_UP_TO: dollarAmount.optional(),
  },
  mistakes(values: Readonly<Record<string, unknown>>) {
    const names = ['YELLOWCARD_TOP_UP', 'YELLOWCARD_TOP_UP_BELOW', 'YELLOWCARD_TOP_UP_TO'] as const
    if (names.some((name) => !(name in values))) return []
    const missing = names.filter((name) => values[name] === undefined)
    if (missing.length === names.length) return []
    if (missing.length > 0)
      return [
        `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set: set all three of ${names.join(', ')}, or none`,
      ]
    const [below, to] = [values.YELLOWCARD_TOP_UP_BELOW as bigint, values.YELLOWCARD_TOP_UP_TO as bigint]
    return to > below ? [] : ['YELLOWCARD_TOP_UP_TO must be more than YELLOWCARD_TOP_UP_BELOW']
  },
} satisfies Settings
