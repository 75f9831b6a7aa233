import { expect, test } from '@jest/globals'
import { localDate } from '../platform/localDates.ts'
import { monthAfter, monthRange } from './monthRange.ts'

test.each([
  ['2026-11', 'Africa/Lagos', '2026-10-31T23:00:00.000Z', '2026-11-30T23:00:00.000Z'],
  ['2026-12', 'UTC', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  // The clocks change within it.
  ['2026-03', 'Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
  ['2026-02', 'Asia/Kathmandu', '2026-01-31T18:15:00.000Z', '2026-02-28T18:15:00.000Z'],
  ['2026-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', '2026-01-31T10:00:00.000Z'],
  ['2026-01', 'Pacific/Niue', '2026-01-01T11:00:00.000Z', '2026-02-01T11:00:00.000Z'],
  ['2026-05', 'Asia/Calcutta', '2026-04-30T18:30:00.000Z', '2026-05-31T18:30:00.000Z'],
])('%s in %s', (month, timeZone, from, to) => {
  const range = monthRange(month, timeZone)
  expect([range.from.toISOString(), range.to.toISOString()]).toEqual([from, to])
  expect([range.from, new Date(range.from.getTime() - 1)].map((time) => localDate(time, timeZone))).toEqual([
    `${month}-01`,
    expect.not.stringMatching(month),
  ])
})

test('months join: each ends when the one after it begins', () => {
  expect(['2026-11', '2026-12'].map(monthAfter)).toEqual(['2026-12', '2027-01'])
  for (const timeZone of Intl.supportedValuesOf('timeZone'))
    expect(monthRange('2026-12', timeZone).to).toEqual(monthRange('2027-01', timeZone).from)
})

test.each([
  ['2026-13', 'UTC', 'month'],
  ['2026-1', 'UTC', 'month'],
  ['', 'UTC', 'month'],
  ['9999-12', 'UTC', 'month'],
  ['2026-11', '', 'timeZone'],
  ['2026-11', '+01:00', 'timeZone'],
  ['2026-11', 'Nowhere/At_All', 'timeZone'],
  ['2026-11', "UTC'; drop table x", 'timeZone'],
])('%j in %j is refused by the name of its field', (month, timeZone, field) => {
  expect(() => monthRange(month, timeZone)).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ field })] }),
  )
})
