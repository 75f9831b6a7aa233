import fc from 'fast-check'
import { configuredChains } from '../../src/chains/configuration.ts'
import type { FinalityPolicy, RequiredDepth } from '../../src/chains/finality.ts'
import { formatUnits } from '../../src/money/amount.ts'

/** Any rules of finality that an operator and a business can have chosen, for tokens of 6 decimals. */

const [ethereum] = configuredChains({ ETHEREUM_RPC_URLS: 'http://localhost' }).chains
if (!ethereum) throw new Error('no ethereum')

/** As a number, "finalized" is more than any other depth. */
export const asNumber = (required: RequiredDepth) => required ?? Number.POSITIVE_INFINITY
export const amounts = fc.bigInt({ min: 0n, max: 20_000_000_000n })
const whole = amounts.map((base) => formatUnits(base, 6))
export const choices: fc.Arbitrary<FinalityPolicy | null> = fc.option(
  fc
    .record(
      {
        early: fc.record({ upTo: whole, confirmations: fc.integer({ min: 1, max: 200 }) }),
        largeFrom: whole,
      },
      { requiredKeys: [] },
    )
    .map((ethereum) => ({ ethereum })),
)
export const chains = fc
  .record({
    confirmations: fc.integer({ min: 1, max: 100 }),
    byFinalizedTag: fc.boolean(),
    min: fc.integer({ min: 1, max: 100 }),
    earlyUpTo: whole,
    largeFrom: fc.option(whole),
  })
  .map(({ confirmations, byFinalizedTag, min, earlyUpTo, largeFrom }) => ({
    ...ethereum,
    confirmations,
    byFinalizedTag,
    finality: { minConfirmations: Math.min(min, confirmations), earlyUpTo, largeFrom },
  }))
