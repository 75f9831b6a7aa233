import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { endOfDate, fromZoneInput, isMonth, isZone, monthIn, toZoneInput, zoneChoices } from './zone.ts'

test('a month begins at midnight of its zone', () => {
  const at = new Date('2026-10-31T23:30:00Z')
  expect([monthIn('Africa/Lagos', at), monthIn('UTC', at)]).toEqual(['2026-11', '2026-10'])
})

test('the zones to choose from have UTC, and the one that is set by another name', () => {
  const names = zoneChoices('Asia/Kolkata').map(({ value }) => value)
  expect(names).toEqual(expect.arrayContaining(['Africa/Lagos', 'UTC', 'Asia/Kolkata']))
})

test.each([
  ['Africa/Lagos', true],
  ['UTC', true],
  ['+01:00', false],
  ['Nowhere/At_All', false],
  ['', false],
])('%j is a zone: %s', (text, is) => expect(isZone(text)).toBe(is))

test('a day ends a millisecond before the next one, in its zone', () => {
  expect(endOfDate('2026-12-31', 'Africa/Lagos')).toBe('2026-12-31T22:59:59.999Z')
  expect(endOfDate('2026-12-31', 'Pacific/Auckland')).toBe('2026-12-31T10:59:59.999Z')
  // 23 hours long.
  expect(endOfDate('2026-03-29', 'Europe/Paris')).toBe('2026-03-29T21:59:59.999Z')
})

test.each(['', '2026', '2026-02-30', '2026-13-01', '2026-1-1', '0000-01-01', 'today'])(
  '%j is not a day',
  (text) => expect(endOfDate(text, 'UTC')).toBeUndefined(),
)

test.each([
  ['2026-11', true],
  ['2026-13', false],
  ['2026-1', false],
  ['26-01', false],
  ['2026-01-01', false],
  ['', false],
])('%j is a month: %s', (text, is) => expect(isMonth(text)).toBe(is))

test('an entered time is by the clocks of its zone', () => {
  expect(fromZoneInput('2026-11-25T10:00', 'Africa/Lagos')).toBe('2026-11-25T09:00:00.000Z')
  expect(fromZoneInput('2026-11-25T10:00', 'Asia/Kolkata')).toBe('2026-11-25T04:30:00.000Z')
  // Left out by the clocks: 02:30 is 03:00.
  expect(fromZoneInput('2026-03-29T02:30', 'Europe/Paris')).toBe('2026-03-29T01:00:00.000Z')
})

test.each(['', 'soon', '2026-11-25', '2026-02-30T10:00', '2026-11-25T25:00', '12026-11-25T10:00'])(
  '%j is no entered time',
  (text) => expect(fromZoneInput(text, 'Africa/Lagos')).toBeUndefined(),
)

test('a time that is shown in a field is read back to the minute, in every zone', () => {
  const minutes = fc.integer({
    min: Date.parse('2010-01-01') / 60_000,
    max: Date.parse('2040-12-31') / 60_000,
  })
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), minutes, (timeZone, minute) => {
      const shown = toZoneInput(new Date(minute * 60_000).toISOString(), timeZone)
      const read = fromZoneInput(shown, timeZone)
      // Of two times that the clocks show alike either is right.
      expect(read && toZoneInput(read, timeZone)).toBe(shown)
    }),
    { numRuns: 200 },
  )
})
