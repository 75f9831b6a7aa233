import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { madeTronNode } from '../../../test/support/madeTron.ts'
import { ProviderError } from '../chain.ts'
import { estimateFee, maxEnergy, type Prices, readPrices } from './fees.ts'
import type { TronResources } from './nodeApi.ts'

// Mainnet's prices of autumn 2025.
const prices: Prices = {
  byte: 1000n,
  energy: 100n,
  newAccount: 1_000_000n,
  newAccountBandwidth: 100_000n,
  maxFeeLimit: 15_000_000_000n,
}
const nothing: TronResources = { freeBandwidth: 0n, stakedBandwidth: 0n, energy: 0n }
/** As on mainnet: bandwidth of 345, 64 of it for the result, and the energy of a transfer to a holder. */
const usdt = { bytes: 281, energy: 64_285n, opensAccount: false }
const trx = { bytes: 204, energy: 0n, opensAccount: false }

describe('the fee', () => {
  test('of a USDT transfer without resources is its energy and its bytes', () => {
    expect(estimateFee(prices, nothing, usdt)).toEqual({
      expected: 6_773_500n,
      max: 8_059_200n,
      covered: 8_059_200n,
      otherCosts: 0n,
    })
  })

  test.each<[string, Partial<TronResources>, bigint]>([
    ['free bandwidth', { freeBandwidth: 345n }, 6_428_500n],
    ['staked bandwidth', { stakedBandwidth: 345n }, 6_428_500n],
    ['one byte of bandwidth too few', { freeBandwidth: 344n, stakedBandwidth: 344n }, 6_773_500n],
    ['some of the energy', { energy: 60_000n }, 773_500n],
    ['all of the energy', { energy: 64_285n }, 345_000n],
    ['all of both', { energy: 70_000n, freeBandwidth: 600n }, 0n],
  ])('with %s is the part that is not covered', (_what, left, expected) => {
    expect(estimateFee(prices, { ...nothing, ...left }, usdt).expected).toBe(expected)
  })

  test('of a transfer that opens an account is fixed, and free bandwidth does not count there', () => {
    const opens = { ...trx, opensAccount: true }
    expect(estimateFee(prices, { ...nothing, freeBandwidth: 600n }, opens)).toEqual({
      expected: 0n,
      max: 0n,
      covered: 0n,
      otherCosts: 1_100_000n,
    })
    expect(estimateFee(prices, { ...nothing, stakedBandwidth: 268n }, opens)).toEqual({
      expected: 0n,
      max: 100_000n,
      covered: 0n,
      otherCosts: 1_000_000n,
    })
  })

  test('has an expected value up to its maximum, and resources never raise it', () => {
    const amounts = fc.bigInt({ min: 0n, max: 1_000_000n })
    const left = fc.record({ freeBandwidth: amounts, stakedBandwidth: amounts, energy: amounts })
    fc.assert(
      fc.property(
        left,
        fc.record({ bytes: fc.nat(100_000), energy: amounts, opensAccount: fc.constant(false) }),
        (resources, usage) => {
          const fee = estimateFee(prices, resources, usage)
          const bare = estimateFee(prices, nothing, usage)
          expect([
            fee.expected <= fee.covered,
            fee.covered <= fee.max,
            fee.expected <= bare.expected,
            fee.max === bare.max,
          ]).toEqual(Array(4).fill(true))
        },
      ),
    )
  })

  test('allows for a fifth more energy, rounded up', () => {
    expect([0n, 1n, 5n, 64_285n].map(maxEnergy)).toEqual([0n, 2n, 6n, 77_142n])
  })
})

describe('prices', () => {
  const read = (parameters: object) =>
    readPrices(madeTronNode('a', [], { '/wallet/getchainparameters': () => parameters }))
  const named = {
    getTransactionFee: 1000,
    getEnergyFee: 100,
    getCreateNewAccountFeeInSystemContract: 1_000_000,
    getCreateAccountFee: 100_000,
    getMaxFeeLimit: 15_000_000_000,
  }
  const list = (values: object) => ({
    chainParameter: Object.entries(values).map(([key, value]) => ({ key, value })),
  })

  test('are those of the chain, and zero if a value is omitted', async () => {
    expect(await read(list(named))).toEqual(prices)
    expect(await read(list({ ...named, getEnergyFee: undefined }))).toEqual({ ...prices, energy: 0n })
  })

  test.each<[string, object]>([
    ['one is missing', { chainParameter: [{ key: 'getEnergyFee', value: 100 }] }],
    ['all are missing', {}],
    ['one is not a number', list({ ...named, getEnergyFee: '100' })],
    ['one is negative', list({ ...named, getEnergyFee: -1 })],
    ['the node fails', { Error: 'class java.lang.Exception' }],
  ])('are a provider error if %s', async (_what, parameters) => {
    await expect(read(parameters)).rejects.toThrow(ProviderError)
  })
})
