import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { amounts, asNumber, chains, choices } from '../../test/support/anyFinality.ts'
import { howMany } from '../../test/support/full.ts'
import { configuredChains } from './configuration.ts'
import { type FinalityPolicy, ownRule, requiredDepth } from './finality.ts'
import type { ConfiguredChain } from './registry.ts'

const chainOf = (name: string, env: Record<string, string> = {}): ConfiguredChain => {
  const [chain] = configuredChains({ [`${name.toUpperCase()}_RPC_URLS`]: 'http://localhost', ...env }).chains
  if (!chain) throw new Error(`no ${name}`)
  return chain
}
const ethereum = chainOf('ethereum')
const usdc = { symbol: 'USDC', decimals: 6 }
const usd = (whole: number) => BigInt(Math.round(whole * 1e6))
const policy: FinalityPolicy = { ethereum: { early: { upTo: '50', confirmations: 3 }, largeFrom: '1000' } }
const depth = (whole: number, chain = ethereum, choice: FinalityPolicy | null = policy) =>
  requiredDepth(chain, choice, usdc, usd(whole))

describe('the depth that a payment must have', () => {
  test('is the chain’s own by default: its confirmations, or that the chain calls the block finalized', () => {
    expect([ownRule(ethereum), ownRule(chainOf('polygon'))]).toEqual([12, null])
    expect(depth(5, ethereum, null)).toBe(12)
    expect(depth(5, ethereum, {})).toBe(12)
    expect(depth(5, ethereum, { polygon: { early: { upTo: '50', confirmations: 1 } } })).toBe(12)
    expect(depth(5, chainOf('polygon'), null)).toBeNull()
  })

  test('is less for small amounts, to the last base unit, and a finalized block for large ones, from the first', () => {
    expect([
      depth(0.000001),
      depth(50),
      depth(50.000001),
      depth(999.999999),
      depth(1000),
      depth(10_000_000),
    ]).toEqual([3, 3, 12, 12, null, null])
  })

  test('of a chain with the finalized tag may be a number for small amounts', () => {
    const choice = { polygon: { early: { upTo: '50', confirmations: 20 } } }
    expect(depth(50, chainOf('polygon'), choice)).toBe(20)
    expect(depth(51, chainOf('polygon'), choice)).toBeNull()
  })

  test('is never more for small amounts than the chain’s own', () => {
    expect(depth(5, ethereum, { ethereum: { early: { upTo: '50', confirmations: 500 } } })).toBe(12)
  })

  test('is bound by the operator’s current settings, for earlier choices too', () => {
    expect(depth(5, chainOf('ethereum', { ETHEREUM_MIN_CONFIRMATIONS: '6' }))).toBe(6)
    expect(
      [40, 41].map((whole) => depth(whole, chainOf('ethereum', { ETHEREUM_EARLY_UP_TO: '40' }))),
    ).toEqual([3, 12])
    expect(
      [199, 200].map((whole) => depth(whole, chainOf('ethereum', { ETHEREUM_LARGE_FROM: '200' }), null)),
    ).toEqual([12, null])
    expect(depth(30, chainOf('ethereum', { ETHEREUM_LARGE_FROM: '20' }))).toBeNull()
  })

  test('counts whole tokens: 18 decimals on BSC are not a billion dollars', () => {
    const choice = { bsc: { early: { upTo: '50', confirmations: 3 }, largeFrom: '1000' } }
    const of = (whole: bigint) =>
      requiredDepth(chainOf('bsc'), choice, { symbol: 'USDT', decimals: 18 }, whole * 10n ** 18n)
    expect([of(50n), of(51n), of(1000n)]).toEqual([3, 15, null])
  })

  test.each(['ETH', 'USDC.e', 'EURC'])(
    'of %s, which is not accepted as payment, is the chain’s own: its amount is not in dollars',
    (symbol) => {
      expect(requiredDepth(ethereum, policy, { symbol, decimals: 18 }, 1n)).toBe(12)
      expect(requiredDepth(ethereum, policy, { symbol, decimals: 18 }, 10n ** 30n)).toBe(12)
    },
  )
})

test('for any settings of operator and business: never below the operator’s minimum, and above the chain’s own rule only as "finalized"', () => {
  fc.assert(
    fc.property(chains, choices, amounts, (chain, choice, amount) => {
      const required = requiredDepth(chain, choice, usdc, amount)
      expect(asNumber(required)).toBeGreaterThanOrEqual(chain.finality.minConfirmations)
      if (required !== null && !chain.byFinalizedTag)
        expect(required).toBeLessThanOrEqual(chain.confirmations)
      if (choice === null && required !== ownRule(chain))
        expect([required, chain.finality.largeFrom === null]).toEqual([null, false])
    }),
    { numRuns: howMany(250, 20_000) },
  )
})

test('for any settings of operator and business: larger amounts never need less finality', () => {
  fc.assert(
    fc.property(chains, choices, amounts, amounts, (chain, choice, one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one]
      const required = [less, more].map((amount) => asNumber(requiredDepth(chain, choice, usdc, amount)))
      const [lower, higher] = required as [number, number]
      // A number for small amounts on a chain with the tag is always less than "finalized".
      expect(lower).toBeLessThanOrEqual(higher)
    }),
    { numRuns: howMany(250, 20_000) },
  )
})
