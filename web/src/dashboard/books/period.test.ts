import { expect, test } from '@jest/globals'
import { endOfDate, isMonth, localDate } from './period.ts'

test('a day ends a millisecond before the next one, in the reader’s zone', () => {
  expect(endOfDate('2026-12-31')).toBe(new Date(2026, 11, 31, 23, 59, 59, 999).toISOString())
  expect(localDate(new Date(2026, 0, 31, 23, 59))).toBe('2026-01-31')
})

test.each(['', '2026', '2026-02-30', '2026-13-01', '2026-1-1', 'today'])('%j is not a day', (text) =>
  expect(endOfDate(text)).toBeUndefined(),
)

test.each([
  ['2026-11', true],
  ['2026-13', false],
  ['2026-1', false],
  ['26-01', false],
  ['2026-01-01', false],
  ['', false],
])('%j is a month: %s', (text, is) => expect(isMonth(text)).toBe(is))
