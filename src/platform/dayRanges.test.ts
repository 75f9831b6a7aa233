import { expect, test } from '@jest/globals'
import { dayRanges } from './dayRanges.ts'

const hours = ({ from, until }: { from: Date; until: Date }) => (until.getTime() - from.getTime()) / 3_600_000
const at = (text: string) => new Date(text)

test('the last days of a time zone end with today, and join without a gap', () => {
  const days = dayRanges('Africa/Lagos', 3, at('2026-11-30T23:30:00Z'))
  expect(days.map(({ date, from }) => [date, from.toISOString()])).toEqual([
    ['2026-11-29', '2026-11-28T23:00:00.000Z'],
    ['2026-11-30', '2026-11-29T23:00:00.000Z'],
    ['2026-12-01', '2026-11-30T23:00:00.000Z'],
  ])
  expect(days.map(({ until }) => until)).toEqual([
    ...days.slice(1).map(({ from }) => from),
    at('2026-12-01T23:00:00Z'),
  ])
})

test.each([
  ['Europe/Berlin', '2026-03-29T12:00:00Z', 23],
  ['Europe/Berlin', '2026-10-25T12:00:00Z', 25],
  // Half an hour.
  ['Australia/Lord_Howe', '2026-10-04T02:00:00Z', 23.5],
  ['UTC', '2026-02-28T12:00:00Z', 24],
])('a day of %s at %s has %d hours', (timeZone, now, length) => {
  expect(dayRanges(timeZone, 1, at(now)).map(hours)).toEqual([length])
})

test('a day begins at one o’clock where midnight is left out', () => {
  const [day] = dayRanges('Africa/Cairo', 1, at('2026-04-24T12:00:00Z'))
  expect([day?.date, day?.from.toISOString()]).toEqual(['2026-04-24', '2026-04-23T22:00:00.000Z'])
})

test.each(['Asia/Calcutta', 'Asia/Kolkata', 'US/Pacific', 'Pacific/Kiritimati', 'Pacific/Niue'])(
  '%s has days, by the names that browsers use',
  (timeZone) => {
    expect(dayRanges(timeZone, 20, at('2026-11-30T12:00:00Z')).map(hours)).toEqual(Array(20).fill(24))
  },
)

test.each(['', 'Nowhere/At_All', '+01:00', "UTC'; drop table x", '../etc/passwd'])(
  '%j is refused',
  (timeZone) => {
    expect(() => dayRanges(timeZone, 30, new Date())).toThrow('timeZone: is not the IANA name of a time zone')
  },
)
