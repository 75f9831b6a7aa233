import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Token } from '../chains/registry.ts'
import { currencyDecimals, priceFromAmount, priceFromLocal } from './price.ts'
import type { MidRate } from './rates.ts'

const usdc: Token = { symbol: 'USDC', contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', decimals: 6 }
const pegged: Token = { symbol: 'USDT', contract: '0x55d398326f99059ff775485246999027b3197955', decimals: 18 }
const observedAt = new Date('2026-01-01T12:00:00.000Z')
const observed = (rate: string): MidRate => ({ rate, at: observedAt, source: 'yellowcard' })
const free = { feePercent: '0.000000', fxMarginPercent: '0.000000' }

/** An exact fraction, computed without the code under test. */
interface Ratio {
  n: bigint
  d: bigint
}
const ratio = (text: string): Ratio => {
  const [whole = '', fraction = ''] = text.split('.')
  return { n: BigInt(whole + fraction), d: 10n ** BigInt(fraction.length) }
}
const times = (...all: Ratio[]): Ratio =>
  all.reduce((a, b) => ({ n: a.n * b.n, d: a.d * b.d }), { n: 1n, d: 1n })
const compare = (a: Ratio, b: Ratio) => Number(a.n * b.d > b.n * a.d) - Number(a.n * b.d < b.n * a.d)
const minus = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d })
const ofHundred = (percent: string) => times(ratio(percent), { n: 1n, d: 100n })
const one: Ratio = { n: 1n, d: 1n }
const unit = (places: number): Ratio => ({ n: 1n, d: 10n ** BigInt(places) })

const decimal = (options: { min: bigint; max: bigint; places: number }) =>
  fc.bigInt({ min: options.min, max: options.max }).map((value) => {
    const digits = value.toString().padStart(options.places + 1, '0')
    return options.places === 0
      ? digits
      : `${digits.slice(0, -options.places)}.${digits.slice(-options.places)}`
  })
const percents = decimal({ min: 0n, max: 99_999_999n, places: 6 })
const rates = fc.integer({ min: 0, max: 10 }).chain((places) => decimal({ min: 1n, max: 10n ** 13n, places }))
/** A currency with its minor-unit places by ISO 4217, and an amount that fits it. */
const locals = fc
  .constantFrom(
    { currency: 'NGN', places: 2 },
    { currency: 'XOF', places: 0 },
    { currency: 'KWD', places: 3 },
  )
  .chain(({ currency, places }) =>
    fc.record({
      currency: fc.constant(currency),
      places: fc.constant(places),
      amount: decimal({ min: 1n, max: 10n ** 15n, places }),
    }),
  )
const tokens = fc.constantFrom(usdc, pegged)

describe('from fiat', () => {
  test('the amount covers the local price after the margin, and one unit less does not', () => {
    fc.assert(
      fc.property(tokens, locals, rates, percents, (token, local, rate, fxMarginPercent) => {
        const price = priceFromLocal(token, local.amount, local.currency, observed(rate), {
          ...free,
          fxMarginPercent,
        })
        const worth = (amount: bigint) =>
          times(
            { n: amount, d: 1n },
            unit(token.decimals),
            ratio(rate),
            minus(one, ofHundred(fxMarginPercent)),
          )
        expect(compare(worth(price.amount), ratio(local.amount))).toBeGreaterThanOrEqual(0)
        expect(compare(worth(price.amount - 1n), ratio(local.amount))).toBe(-1)
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    // 5000 ÷ (1610 × 0.985) = 3.15288331…
    ['5000', 'NGN', '1610', '1.5', 3_152_884n],
    // 1000 ÷ 1000 is exact: no rounding
    ['1000', 'NGN', '1000', '0', 1_000_000n],
    ['0.01', 'NGN', '1610', '0', 7n],
    // 10000 ÷ 611.5 = 16.35322976…
    ['10000', 'XOF', '611.5', '0', 16_353_230n],
    // 1.234 ÷ (0.3075 × 0.9) = 4.45889792…
    ['1.234', 'KWD', '0.3075', '10', 4_458_898n],
  ])(
    '%s %s at %s with a margin of %s%% is %s base units',
    (local, currency, rate, fxMarginPercent, amount) => {
      expect(priceFromLocal(usdc, local, currency, observed(rate), { ...free, fxMarginPercent }).amount).toBe(
        amount,
      )
    },
  )

  test('the price contains its inputs', () => {
    expect(
      priceFromLocal(usdc, '5000.50', 'NGN', observed('1610'), { feePercent: '1', fxMarginPercent: '1.5' }),
    ).toEqual({
      token: 'USDC',
      amount: 3_153_199n,
      localAmount: '5000.5',
      localCurrency: 'NGN',
      rate: '1610',
      rateAt: observedAt,
      rateSource: 'yellowcard',
      fxMarginPercent: '1.5',
      fee: '50.01',
      feeCurrency: 'NGN',
    })
  })

  test('a rate of zero is refused', () => {
    expect(() => priceFromLocal(usdc, '1', 'NGN', observed('0'), free)).toThrow('not a rate')
    expect(() => priceFromLocal(usdc, '1', 'NGN', observed('0.000'), free)).toThrow('not a rate')
  })
})

describe('from crypto', () => {
  test("the local amount is the token's value after the margin, rounded down to the currency's unit", () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 30n })
    fc.assert(
      fc.property(
        tokens,
        locals,
        amounts,
        rates,
        percents,
        (token, { currency, places }, amount, rate, fxMarginPercent) => {
          const price = priceFromAmount(
            token,
            amount,
            { currency, mid: observed(rate) },
            { ...free, fxMarginPercent },
          )
          const worth = times(
            { n: amount, d: 1n },
            unit(token.decimals),
            ratio(rate),
            minus(one, ofHundred(fxMarginPercent)),
          )
          const local = ratio(price.localAmount ?? '')
          expect(price.amount).toBe(amount)
          expect(compare(local, worth)).toBeLessThanOrEqual(0)
          expect(compare(minus(worth, local), unit(places))).toBe(-1)
          // At most the currency's decimal places.
          expect((price.localAmount?.split('.')[1] ?? '').length).toBeLessThanOrEqual(places)
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    // 3.152884 × 1610 × 0.985 = 5000.0010914: the cost of 5000 is worth 5000; one unit less is 4999.9995…
    [3_152_884n, 'NGN', '1610', '1.5', '5000'],
    [3_152_883n, 'NGN', '1610', '1.5', '4999.99'],
    [1_000_000n, 'XOF', '611.5', '0', '611'],
    [10_000_000n, 'KWD', '0.30755', '0', '3.075'],
    [1n, 'NGN', '1610', '0', '0'],
  ])(
    '%s base units in %s at %s with a margin of %s%% are %s',
    (amount, currency, rate, fxMarginPercent, local) => {
      expect(
        priceFromAmount(usdc, amount, { currency, mid: observed(rate) }, { ...free, fxMarginPercent })
          .localAmount,
      ).toBe(local)
    },
  )

  test('the cost of a fiat price is worth at least that fiat price', () => {
    fc.assert(
      fc.property(tokens, locals, rates, percents, (token, local, rate, fxMarginPercent) => {
        const terms = { ...free, fxMarginPercent }
        const { amount } = priceFromLocal(token, local.amount, local.currency, observed(rate), terms)
        const { localAmount } = priceFromAmount(
          token,
          amount,
          { currency: local.currency, mid: observed(rate) },
          terms,
        )
        expect(compare(ratio(localAmount ?? ''), ratio(local.amount))).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('without a currency the price and its fee are in the token only', () => {
    expect(priceFromAmount(usdc, 10_000_001n, null, { feePercent: '0.5', fxMarginPercent: '2' })).toEqual({
      token: 'USDC',
      amount: 10_000_001n,
      localAmount: null,
      localCurrency: null,
      rate: null,
      rateAt: null,
      rateSource: null,
      fxMarginPercent: '2',
      // 0.0500000005 rounded up
      fee: '0.050001',
      feeCurrency: 'USDC',
    })
  })
})

describe('the fee', () => {
  test("is the percentage of the local amount, rounded up to the currency's unit", () => {
    fc.assert(
      fc.property(locals, rates, percents, ({ currency, places, amount }, rate, feePercent) => {
        const { fee, feeCurrency } = priceFromLocal(usdc, amount, currency, observed(rate), {
          ...free,
          feePercent,
        })
        const exact = times(ratio(amount), ofHundred(feePercent))
        expect(feeCurrency).toBe(currency)
        expect(compare(ratio(fee), exact)).toBeGreaterThanOrEqual(0)
        expect(compare(minus(ratio(fee), exact), unit(places))).toBe(-1)
      }),
    )
  })

  test('in the token is the percentage of the amount, rounded up to its base unit', () => {
    fc.assert(
      fc.property(tokens, fc.bigInt({ min: 1n, max: 10n ** 30n }), percents, (token, amount, feePercent) => {
        const { fee } = priceFromAmount(token, amount, null, { ...free, feePercent })
        const exact = times({ n: amount, d: 1n }, unit(token.decimals), ofHundred(feePercent))
        expect(compare(ratio(fee), exact)).toBeGreaterThanOrEqual(0)
        expect(compare(minus(ratio(fee), exact), unit(token.decimals))).toBe(-1)
      }),
    )
  })

  test.each([
    ['1', 'XOF', '0.1', '1'],
    ['1000', 'XOF', '0.1', '1'],
    ['1001', 'XOF', '0.1', '2'],
    ['1.001', 'KWD', '1', '0.011'],
    ['100', 'NGN', '0.000001', '0.01'],
    ['100', 'NGN', '0', '0'],
  ])('of %s %s at %s%% is %s', (amount, currency, feePercent, fee) => {
    expect(priceFromLocal(usdc, amount, currency, observed('3'), { ...free, feePercent }).fee).toBe(fee)
  })

  test('is not added: the customer pays the same with and without it', () => {
    const terms = { feePercent: '3', fxMarginPercent: '1' }
    expect(priceFromLocal(usdc, '5000', 'NGN', observed('1610'), terms).amount).toBe(
      priceFromLocal(usdc, '5000', 'NGN', observed('1610'), { ...terms, feePercent: '0' }).amount,
    )
  })
})

describe('decimal places of a currency', () => {
  test.each([
    ['NGN', 2],
    ['KES', 2],
    ['GHS', 2],
    ['ZAR', 2],
    ['USD', 2],
    ['XOF', 0],
    ['XAF', 0],
    ['UGX', 0],
    ['RWF', 0],
    ['JPY', 0],
    ['KWD', 3],
    ['TND', 3],
    ['BHD', 3],
  ])('%s has %i', (currency, places) => {
    expect(currencyDecimals(currency)).toBe(places)
  })

  test.each([
    ['COP', 2],
    ['HUF', 2],
    ['IDR', 2],
    ['PKR', 2],
    ['MGA', 2],
    ['SOS', 2],
    ['IQD', 3],
  ])('%s has %i by ISO 4217, though rarely used', (currency, places) => {
    expect(currencyDecimals(currency)).toBe(places)
  })
})
