import { expect, test } from '@jest/globals'
import { periodTimes } from './periods.ts'

const at = (text: string) => new Date(text)

test('a day is that of the business, wherever the browser is', () => {
  // 23:30 in London is half past midnight of the next day in Lagos.
  const now = at('2026-03-31T23:30:00Z')
  expect(periodTimes('today', now, 'Africa/Lagos')).toEqual({ since: '2026-03-31T23:00:00.000Z' })
  expect(periodTimes('today', now, 'America/New_York')).toEqual({ since: '2026-03-31T04:00:00.000Z' })
  expect(periodTimes('yesterday', now, 'Africa/Lagos')).toEqual({
    since: '2026-03-30T23:00:00.000Z',
    until: '2026-03-31T23:00:00.000Z',
  })
  expect(periodTimes('month', now, 'Africa/Lagos')).toEqual({ since: '2026-03-31T23:00:00.000Z' })
  expect(periodTimes('month', now, 'UTC')).toEqual({ since: '2026-03-01T00:00:00.000Z' })
  expect(periodTimes('week', now, 'UTC')).toEqual({ since: '2026-03-25T00:00:00.000Z' })
})

test('a day on which the clocks change starts at its own midnight', () => {
  const now = at('2026-03-29T12:00:00Z')
  expect(periodTimes('today', now, 'Europe/Paris')).toEqual({ since: '2026-03-28T23:00:00.000Z' })
  expect(periodTimes('today', at('2026-03-30T12:00:00Z'), 'Europe/Paris')).toEqual({
    since: '2026-03-29T22:00:00.000Z',
  })
  expect(periodTimes('yesterday', at('2026-01-01T12:00:00Z'), 'UTC')).toEqual({
    since: '2025-12-31T00:00:00.000Z',
    until: '2026-01-01T00:00:00.000Z',
  })
})
