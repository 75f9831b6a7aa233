import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { formatUnits } from '../money/amount.ts'
import { readSettings } from '../platform/config.ts'
import { fixedAt, isOverAged, parseFixedRates } from './fixedRates.ts'
import { pricingSettings } from './settings.ts'

const now = Date.parse('2026-11-30T16:00:00.000Z')
const parse = (text: string) => parseFixedRates(text, new Date(now))
const ofDay = (day: string) => ({ currency: 'NGN', rate: '1650.25', day })

test('rates are read with their day, exactly', () => {
  expect(parse(' NGN=1650.25@2026-11-28, KES=129.4@2026-11-30,')).toEqual({
    rates: [ofDay('2026-11-28'), { currency: 'KES', rate: '129.4', day: '2026-11-30' }],
    mistakes: [],
  })
  expect(parse('')).toEqual({ rates: [], mistakes: [] })
})

test('any decimal keeps its digits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }), (value, scale) => {
      const rate = formatUnits(value, scale)
      expect(parse(`KWD=${rate}@2026-11-28`).rates).toEqual([{ currency: 'KWD', rate, day: '2026-11-28' }])
    }),
  )
})

test('every mistake is named, each by its entry', () => {
  expect(
    parse(
      'NGN=1650.25, XXX=1@2026-11-28, USD=1@2026-11-28, KES=0@2026-11-28, EUR=1e3@2026-11-28, ZAR=18@2026-02-30, GHS=12@2027-11-28, XOF=600@28.11.2026, XAF=600@2026-11-01, XAF=601@2026-11-02',
    ).mistakes,
  ).toEqual([
    'has an entry 1, which is not like NGN=1650.25@2026-11-28',
    'has an entry 2 (XXX), whose currency is not one of ISO 4217',
    'has an entry 3 (USD): a US dollar is one token',
    'has an entry 4 (KES), whose rate is not a decimal above 0',
    'has an entry 5 (EUR), whose rate is not a decimal above 0',
    'has an entry 6 (ZAR), whose day is not like 2026-11-28',
    'has an entry 7 (GHS), whose day is still to come',
    'has an entry 8 (XOF), whose day is not like 2026-11-28',
    'has XAF twice',
  ])
})

test('a rate is used through the last of its days, and not after', () => {
  const at = (iso: string) => isOverAged(ofDay('2026-11-28'), 7, Date.parse(iso))
  expect(at('2026-11-28T00:00:00.000Z')).toBe(false)
  expect(at('2026-12-05T23:59:59.999Z')).toBe(false)
  expect(at('2026-12-06T00:00:00.000Z')).toBe(true)
})

test('a rate of a day that has begun elsewhere is not of the future', () => {
  expect(fixedAt(ofDay('2026-12-01'), now)).toEqual(new Date(now))
  expect(fixedAt(ofDay('2026-11-28'), now)).toEqual(new Date('2026-11-28T00:00:00.000Z'))
})

test('a process names all mistakes of its rates at once, with the other settings', () => {
  expect(() =>
    readSettings('api', pricingSettings, { RATES: 'NGN=0@2026-11-28,ABC', QUOTE_SECONDS: '-1' }),
  ).toThrow(
    /RATES has an entry 1 \(NGN\), whose rate is not a decimal above 0, has an entry 2, which is not like [\s\S]*QUOTE_SECONDS/,
  )
})
