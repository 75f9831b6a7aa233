import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatUnits } from '../money/amount.ts'
import { createLog } from '../platform/telemetry/log.ts'
import { priceFromLocal } from './price.ts'
import { createPriceRates, type PriceRatesContext } from './priceRates.ts'
import { type MidRate, type PartnerRates, ratesUnavailable, unknownCurrency } from './rates.ts'

const now = Date.parse('2026-11-30T16:00:00.000Z')
const at = new Date(now - 60_000)
const usdc = { symbol: 'USDC', decimals: 6 } as Parameters<typeof priceFromLocal>[0]

/** A partner with these rates. @param isDown its rates are too old */
function partnerWith(rates: Record<string, string>, isDown = false): PartnerRates {
  const offered = new Set(Object.keys(rates))
  const mid = async (currency: string): Promise<MidRate> => {
    const rate = rates[currency]
    if (isDown) throw ratesUnavailable(currency)
    if (rate === undefined) throw unknownCurrency(currency, offered)
    return { rate, at, source: 'partner' }
  }
  return { mid, midOrNull: (currency) => mid(currency).catch(() => null), offered: () => offered }
}

const feedWith = (
  rates: Record<string, string>,
  more: { offered?: string[]; refused?: string[]; isAwaited?: boolean } = {},
) => ({
  usable: new Map(Object.entries(rates).map(([code, rate]) => [code, { rate, at, source: 'second' }])),
  refused: new Set(more.refused),
  offered: new Set([...Object.keys(rates), ...(more.offered ?? [])]),
  isAwaited: more.isAwaited ?? false,
})

function setUp(of: Partial<Omit<PriceRatesContext, 'feed'>> & { feed?: ReturnType<typeof feedWith> } = {}) {
  const lines: string[] = []
  const { feed = feedWith({}), ...given } = of
  const rates = createPriceRates({
    log: createLog('test', 'warn', { write: (line) => void lines.push(line) }),
    partner: null,
    fixed: [],
    fixedMaxAgeDays: 7,
    maxDifferencePercent: 2,
    now: () => now,
    ...given,
    feed: async () => feed,
  })
  return { rates, lines }
}

describe('the source of a price', () => {
  test('is the partner, then the second source, then the operator', async () => {
    const fixed = ['NGN', 'EUR', 'GHS'].map((currency) => ({ currency, rate: '7', day: '2026-11-28' }))
    const { rates } = setUp({
      partner: partnerWith({ NGN: '1610' }),
      feed: feedWith({ NGN: '1611', EUR: '0.91' }),
      fixed,
    })
    expect(await rates.mid('NGN')).toEqual({ rate: '1610', at, source: 'partner' })
    expect(await rates.mid('EUR')).toEqual({ rate: '0.91', at, source: 'second' })
    expect(await rates.mid('GHS')).toEqual({
      rate: '7',
      at: new Date('2026-11-28T00:00:00.000Z'),
      source: 'fixed',
    })
  })

  test('is the second source while the rates of the partner are too old', async () => {
    const { rates } = setUp({ partner: partnerWith({ NGN: '1' }, true), feed: feedWith({ NGN: '1611' }) })
    expect(await rates.mid('NGN')).toMatchObject({ rate: '1611', source: 'second' })
  })

  test('is no second source whose own last rate was refused, while the rates of the partner are too old', async () => {
    const feed = feedWith({ NGN: '1400', KES: '129', EUR: '0.91' }, { refused: ['NGN', 'EUR'] })
    const fixed = [{ currency: 'NGN', rate: '7', day: '2026-11-28' }]
    const late = setUp({ partner: partnerWith({ NGN: '1', KES: '1' }, true), feed, fixed }).rates
    await expect(late.mid('NGN')).rejects.toMatchObject({ status: 503, error: 'rates_unavailable' })
    expect(await late.mid('KES')).toMatchObject({ rate: '129', source: 'second' })
    // It is compared with the partner's while there is one, and used where the partner has none.
    const inTime = setUp({ partner: partnerWith({ NGN: '1610' }), feed }).rates
    expect(await inTime.mid('NGN')).toMatchObject({ rate: '1400', source: 'second' })
    expect(await inTime.mid('EUR')).toMatchObject({ rate: '0.91', source: 'second' })
  })

  test('of US dollars is one for one without any source, also where a second source rounds', async () => {
    for (const feed of [feedWith({}), feedWith({ USD: '0.9999' })])
      expect(await setUp({ feed }).rates.mid('USD')).toEqual({
        rate: '1',
        at: new Date(now),
        source: 'parity',
      })
  })

  test('of US dollars is never one for one, nor any other the operator, while a source that has the rate is late', async () => {
    const fixed = ['NGN', 'EUR'].map((currency) => ({ currency, rate: '7', day: '2026-11-28' }))
    const { rates } = setUp({
      partner: partnerWith({ NGN: '1', USD: '1' }, true),
      feed: feedWith({}, { offered: ['EUR'] }),
      fixed,
    })
    for (const currency of ['USD', 'NGN', 'EUR'])
      await expect(rates.mid(currency)).rejects.toMatchObject({ status: 503, error: 'rates_unavailable' })
  })

  test('of US dollars is the partner where it has a rate, at which it pays', async () => {
    const { rates } = setUp({ partner: partnerWith({ USD: '0.995' }) })
    expect(await rates.mid('USD')).toMatchObject({ rate: '0.995', source: 'partner' })
  })
})

describe('without a rate', () => {
  test('a currency that no source has is a 400 with the currencies that there are', async () => {
    const { rates } = setUp({
      partner: partnerWith({ NGN: '1610' }),
      feed: feedWith({ EUR: '0.91' }),
      fixed: [{ currency: 'KES', rate: '129.4', day: '2026-11-28' }],
    })
    await expect(rates.mid('GHS')).rejects.toMatchObject({
      status: 400,
      fields: [
        {
          field: 'localCurrency',
          code: 'unknown_currency',
          message: 'no rate for GHS; there are rates for EUR, KES, NGN, USD',
        },
      ],
    })
    expect(await rates.midOrNull('GHS')).toBeNull()
  })

  test.each([
    ['the partner is late', setUp({ partner: partnerWith({ EUR: '1' }, true) })],
    ['the second source is late', setUp({ feed: feedWith({}, { offered: ['EUR'] }) })],
    ['the second source was never read', setUp({ feed: feedWith({}, { isAwaited: true }) })],
  ])('it is a 503 while %s', async (_what, { rates }) => {
    await expect(rates.mid('EUR')).rejects.toMatchObject({ status: 503, error: 'rates_unavailable' })
  })

  test("a rate of the operator's that is too old is a 503 that says so, and is not used", async () => {
    const { rates } = setUp({ fixed: [{ currency: 'NGN', rate: '1650', day: '2026-11-22' }] })
    await expect(rates.mid('NGN')).rejects.toMatchObject({ status: 503, error: 'rate_too_old' })
    expect(await rates.midOrNull('NGN')).toBeNull()
  })
})

describe('two sources that differ', () => {
  test.each([
    ['1642.2', '1610', 'partner'],
    ['1577', '1610', 'second'],
    ['1578.44', '1610', 'partner'],
    ['1643', '1610', 'partner'],
    ['16', '1610', 'second'],
    ['161000', '1610', 'partner'],
  ])('second %s, partner %s: the rate is of the %s', async (ofFeed, ofPartner, source) => {
    const { rates } = setUp({ partner: partnerWith({ NGN: ofPartner }), feed: feedWith({ NGN: ofFeed }) })
    expect(await rates.mid('NGN')).toMatchObject({ source })
  })

  test('are logged once a minute, with both rates and no more', async () => {
    const { rates, lines } = setUp({
      partner: partnerWith({ NGN: '1610' }),
      feed: feedWith({ NGN: '1700' }),
    })
    await rates.mid('NGN')
    await rates.mid('NGN')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', currency: 'NGN', partner: '1610', second: '1700' },
    ])
  })

  test('by more than the limit never ask for fewer tokens than either of them; within it the partner decides', async () => {
    const rate = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((value) => formatUnits(value, 6))
    const near = fc
      .tuple(fc.bigInt({ min: 10n ** 6n, max: 10n ** 12n }), fc.integer({ min: -50_000, max: 50_000 }))
      .map(([value, millionths]) => [
        formatUnits(value * 1_000_000n, 12),
        formatUnits(value * BigInt(1_000_000 + millionths), 12),
      ])
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.tuple(rate, rate), near),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 10 ** 9 }),
        async ([ofPartner = '', ofFeed = ''], maxDifferencePercent, cents) => {
          const { rates } = setUp({
            partner: partnerWith({ NGN: ofPartner }),
            feed: feedWith({ NGN: ofFeed }),
            maxDifferencePercent,
          })
          const used = await rates.mid('NGN')
          const amountBy = (mid: string) =>
            priceFromLocal(
              usdc,
              formatUnits(BigInt(cents), 2),
              'NGN',
              { rate: mid, at, source: 'any' },
              { feePercent: '1', fxMarginPercent: '1.5' },
            ).amount
          const asked = amountBy(used.rate)
          // By plain numbers of the test, not by the code that decides.
          const [a, b] = [millionthsOf(ofPartner), millionthsOf(ofFeed)]
          const [low, high] = a < b ? [a, b] : [b, a]
          if ((high - low) * 100n > BigInt(maxDifferencePercent) * low) {
            expect(asked >= amountBy(ofPartner)).toBe(true)
            expect(asked >= amountBy(ofFeed)).toBe(true)
          } else expect(used.source).toBe('partner')
        },
      ),
    )
  })
})

/** In units of 10^-12. */
function millionthsOf(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(12, '0'))
}

describe('the list of currencies', () => {
  test('has each that a price takes now, with its rate and source, by its code', async () => {
    const { rates } = setUp({
      partner: partnerWith({ NGN: '1610', KES: '129' }),
      feed: feedWith({ NGN: '1500', EUR: '0.91' }, { offered: ['AED'] }),
      fixed: [
        { currency: 'GHS', rate: '12.5', day: '2026-11-28' },
        { currency: 'EUR', rate: '7', day: '2026-11-28' },
        { currency: 'ZMW', rate: '27', day: '2026-11-01' },
      ],
    })
    const list = await rates.all()
    expect(list.map(({ currency, rate, source }) => [currency, rate, source])).toEqual([
      ['EUR', '0.91', 'second'],
      ['GHS', '12.5', 'fixed'],
      ['KES', '129', 'partner'],
      ['NGN', '1500', 'second'],
      ['USD', '1', 'parity'],
    ])
    for (const { currency, ...mid } of list) expect(await rates.mid(currency)).toEqual(mid)
  })

  test('is US dollars alone without a source, and without the currencies whose rates are too old', async () => {
    const usd = [{ currency: 'USD', rate: '1', at: new Date(now), source: 'parity' }]
    expect(await setUp().rates.all()).toEqual(usd)
    expect(await setUp({ partner: partnerWith({ NGN: '1' }, true) }).rates.all()).toEqual(usd)
  })

  test('leaves out what is no currency of ISO 4217', async () => {
    const { rates } = setUp({ partner: partnerWith({ NGN: '1610', BTC: '1', XAU: '2' }) })
    expect((await rates.all()).map(({ currency }) => currency)).toEqual(['NGN', 'USD'])
  })

  test('waits for the first answer of the partner', async () => {
    const of: Record<string, string> = {}
    const partner = partnerWith(of)
    const { rates } = setUp({
      partner: {
        ...partner,
        async mid(currency) {
          Object.assign(of, { NGN: '1610' })
          return partner.mid(currency)
        },
        offered: () => new Set(Object.keys(of)),
      },
    })
    expect((await rates.all()).map(({ currency }) => currency)).toEqual(['NGN', 'USD'])
  })
})
