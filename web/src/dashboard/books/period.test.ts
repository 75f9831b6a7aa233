import { expect, test } from '@jest/globals'
import { monthOf, periodOf } from './period.ts'

test('a month reaches to the next one, in the reader’s zone', () => {
  expect(periodOf('2026-11')).toEqual({
    from: new Date(2026, 10, 1).toISOString(),
    to: new Date(2026, 11, 1).toISOString(),
  })
  expect(periodOf('2026-12')?.to).toBe(new Date(2027, 0, 1).toISOString())
  expect(monthOf(new Date(2026, 0, 31, 23, 59))).toBe('2026-01')
})

test.each(['', '2026', '2026-13', '2026-1', '26-01', '2026-01-01'])('%j is not a month', (text) =>
  expect(periodOf(text)).toBeUndefined(),
)
