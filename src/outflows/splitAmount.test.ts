import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howMany } from '../../test/support/full.ts'
import { formatUnits, parseUnits } from '../money/amount.ts'
import { splitForBank, splitForWallet } from './splitAmount.ts'

const runs = { numRuns: howMany(500, 20_000) }
const amounts = fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 30n))
const decimals = fc.constantFrom(6, 7, 18)
const percents = fc.oneof(
  fc.constantFrom('0', '1', '1.5', '99.999999'),
  fc.bigInt(0n, 99_999_999n).map((value) => formatUnits(value, 6)),
)
const rates = fc.bigInt(1n, 10n ** 20n).map((value) => formatUnits(value, 12))
const currencies = fc.constantFrom('NGN', 'XOF', 'KWD', 'CLF')

describe('to a wallet', () => {
  test('the parts add up, the fee is not less than its percentage, and nothing but less than a unit of the wallet is lost', () => {
    fc.assert(
      fc.property(amounts, decimals, decimals, percents, (amount, from, to, feePercent) => {
        const split = splitForWallet(amount, { from, to }, { feePercent })
        if (!split) return
        const { fee, margin, rounding, received } = split
        const scale = BigInt(10 ** Math.abs(from - to))
        const back = to >= from ? received / scale : received * scale
        expect(fee + margin + rounding + back).toBe(amount)
        expect(margin).toBe(0n)
        expect(received > 0n && rounding >= 0n && rounding < (to >= from ? 1n : scale)).toBe(true)
        expect(fee * 10n ** 8n >= amount * (parseUnits(feePercent, 6) ?? 0n)).toBe(true)
      }),
      runs,
    )
  })

  test.each([
    [1_000_000n, { from: 6, to: 18 }, '1', { fee: 10_000n, rounding: 0n, received: 990_000n * 10n ** 12n }],
    [
      1_000_000_000_000_000_001n,
      { from: 18, to: 6 },
      '1',
      { fee: 10_000_000_000_000_001n, rounding: 0n, received: 990_000n },
    ],
    [
      1_000_000_999_999_999_999n,
      { from: 18, to: 6 },
      '0',
      { fee: 0n, rounding: 999_999_999_999n, received: 1_000_000n },
    ],
    [10_000_005n, { from: 7, to: 6 }, '0', { fee: 0n, rounding: 5n, received: 1_000_000n }],
    [101n, { from: 6, to: 6 }, '1', { fee: 2n, rounding: 0n, received: 99n }],
  ])('%s', (amount, of, feePercent, parts) => {
    expect(splitForWallet(amount, of, { feePercent })).toEqual({ margin: 0n, ...parts })
  })

  test.each([
    ['all is fee', 1n, { from: 6, to: 6 }, '0.000001'],
    ['the rest is less than a unit of the wallet', 999_999_999_999n, { from: 18, to: 6 }, '0'],
    ['the fee is all', 100n, { from: 6, to: 6 }, '100'],
  ])('nothing is paid where %s', (_why, amount, of, feePercent) => {
    expect(splitForWallet(amount, of, { feePercent })).toBeNull()
  })
})

describe('to a bank', () => {
  test('the parts add up and are not negative; the bank gets no more than the amount is worth after margin and fee', () => {
    fc.assert(
      fc.property(
        amounts,
        decimals,
        rates,
        currencies,
        percents,
        percents,
        (amount, places, rate, currency, fxMarginPercent, percent) => {
          const split = splitForBank(amount, places, { rate, currency, fxMarginPercent, fee: { percent } })
          if (!split) return
          const { fee, margin, rounding, localAmount } = split
          expect([
            fee >= 0n,
            margin >= 0n,
            rounding >= 0n,
            localAmount > 0n,
            fee + margin + rounding < amount,
          ]).toEqual([true, true, true, true, true])
          const [whole = '', fraction = ''] = rate.split('.')
          const [over, under] = [BigInt(whole + fraction), 10n ** BigInt(fraction.length + places)]
          // In the token at the mid rate, exactly: what the bank gets is never above what is taken for it,
          // and less than one unit below.
          const principal = amount - fee - margin - rounding
          expect(localAmount * under >= principal * over).toBe(true)
          expect(localAmount * under < (principal + 1n) * over).toBe(true)
          expect(localAmount * under <= (amount - margin - fee) * over).toBe(true)
        },
      ),
      runs,
    )
  })

  const terms = {
    rate: '1610',
    currency: 'NGN',
    fxMarginPercent: '1.5',
    fee: { local: '250', of: 15_764_417n },
  }
  test.each([
    ['the requested amount', 15_764_417n, terms, { localAmount: 24_750n, localFee: '250' }],
    ['half of it', 7_882_208n, terms, { localAmount: 12_374n, localFee: '125' }],
    ['twice as much', 31_528_834n, terms, { localAmount: 49_500n, localFee: '500' }],
    [
      'no decimals',
      10_000_000n,
      { rate: '605.5', currency: 'XOF', fxMarginPercent: '0', fee: { percent: '1' } },
      { localAmount: 5994n, localFee: '61' },
    ],
    [
      'three decimals',
      10_000_000n,
      { rate: '0.3071', currency: 'KWD', fxMarginPercent: '0', fee: { percent: '1' } },
      { localAmount: 3n, localFee: '0.031' },
    ],
    [
      '18 decimals',
      10n ** 19n,
      { rate: '1610', currency: 'NGN', fxMarginPercent: '0', fee: { percent: '0' } },
      { localAmount: 16_100n, localFee: '0' },
    ],
  ])('%s', (_what, amount, of, expected) => {
    expect(splitForBank(amount, amount > 10n ** 18n ? 18 : 6, of)).toMatchObject(expected)
  })

  test.each([
    ['the fee is all', 1_000_000n, { ...terms, fee: { percent: '100' } }],
    ['the promised fee is above all', 1_000_000n, { ...terms, fee: { local: '2000', of: 1_000_000n } }],
    ['the margin is all', 1_000_000n, { ...terms, fxMarginPercent: '100' }],
    [
      'less than a whole unit is left',
      3_000_000n,
      { rate: '0.3', currency: 'KWD', fxMarginPercent: '0', fee: { percent: '0' } },
    ],
    [
      'a whole unit is worth less than the token can hold',
      1n,
      { rate: '1500000', currency: 'NGN', fxMarginPercent: '0', fee: { percent: '0' } },
    ],
  ])('nothing is paid where %s', (_why, amount, of) => {
    expect(splitForBank(amount, 6, of)).toBeNull()
  })
})
