import { expect, test } from '@jest/globals'
import { isZone, monthIn, zoneChoices, zoneOf } from './zone.ts'

test('a business has the zone of its currency, and else the reader’s', () => {
  expect(zoneOf({ localCurrency: 'NGN' })).toBe('Africa/Lagos')
  expect(zoneOf({ localCurrency: null })).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(zoneChoices({ localCurrency: 'NGN' }, 'Asia/Tokyo')).toEqual(
    expect.arrayContaining(['Africa/Lagos', 'UTC', 'Asia/Tokyo']),
  )
})

test('a month begins at midnight of its zone', () => {
  const at = new Date('2026-10-31T23:30:00Z')
  expect([monthIn('Africa/Lagos', at), monthIn('UTC', at)]).toEqual(['2026-11', '2026-10'])
})

test.each([
  ['Africa/Lagos', true],
  ['UTC', true],
  ['+01:00', false],
  ['Nowhere/At_All', false],
  ['', false],
])('%j is a zone: %s', (text, is) => expect(isZone(text)).toBe(is))
