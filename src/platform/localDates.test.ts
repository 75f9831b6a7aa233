import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { dayRanges } from './dayRanges.ts'
import { firstMoment, localDate, requireTimeZone } from './localDates.ts'

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Kolkata', 'US/Pacific']
const quarterMs = 15 * 60_000
const dayMs = 24 * 3_600_000
const zone = fc.constantFrom(...zones)
const dateBetween = (first: string, last: string) =>
  fc
    .integer({ min: 0, max: (Date.parse(last) - Date.parse(first)) / dayMs })
    .map((days) => new Date(Date.parse(first) + days * dayMs).toISOString().slice(0, 10))
const after = (date: string) => new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10)

test('a day of any zone begins when its date does, and ends when the next one begins', () => {
  fc.assert(
    fc.property(zone, dateBetween('2000-01-01', '2060-12-31'), (timeZone, date) => {
      const [from, until] = [firstMoment(date, timeZone), firstMoment(after(date), timeZone)]
      expect(localDate(from, timeZone) >= date).toBe(true)
      expect(localDate(from.getTime() - 1, timeZone) < date).toBe(true)
      const hours = (until.getTime() - from.getTime()) / 3_600_000
      expect(hours === 0 || (hours >= 22 && hours <= 26)).toBe(true)
      if (hours > 0) expect(localDate(from, timeZone)).toBe(date)
    }),
    { numRuns: 500 },
  )
})

// Takings are summed by quarters of an hour.
test('a day of any zone begins at a full quarter of an hour', () => {
  fc.assert(
    fc.property(zone, dateBetween('2012-01-01', '2060-12-31'), (timeZone, date) => {
      expect(firstMoment(date, timeZone).getTime() % quarterMs).toBe(0)
    }),
    { numRuns: 500 },
  )
  for (const timeZone of zones)
    for (const date of ['2026-01-01', '2026-07-01'])
      expect([timeZone, firstMoment(date, timeZone).getTime() % quarterMs]).toEqual([timeZone, 0])
})

test('the days before any moment join, and the last one holds it', () => {
  fc.assert(
    fc.property(
      zone,
      fc.integer({ min: Date.parse('2000-01-01'), max: Date.parse('2060-12-31') }),
      (timeZone, now) => {
        const days = dayRanges(timeZone, 30, new Date(now))
        for (const [index, { until }] of days.slice(0, -1).entries())
          expect(until).toEqual(days[index + 1]?.from)
        const last = days.at(-1)
        expect(last && last.from.getTime() <= now && now < last.until.getTime()).toBe(true)
      },
    ),
    { numRuns: 50 },
  )
})

describe('a date', () => {
  test.each([
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-11-30', 'Asia/Kathmandu', '2026-11-29T18:15:00.000Z'],
    // The clocks of Lord Howe change by half an hour.
    ['2026-10-04', 'Australia/Lord_Howe', '2026-10-03T13:30:00.000Z'],
    ['2026-10-05', 'Australia/Lord_Howe', '2026-10-04T13:00:00.000Z'],
    // Midnight is left out.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
    // It went from the 29th to the 31st.
    ['2011-12-29', 'Pacific/Apia', '2011-12-29T10:00:00.000Z'],
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s begins at %s', (date, timeZone, from) => {
    expect(firstMoment(date, timeZone).toISOString()).toBe(from)
  })
})

test.each(['', 'Nowhere/At_All', '+01:00', "UTC'; drop table x", '../etc/passwd'])(
  '%j is refused, by the name of its field',
  (timeZone) => {
    for (const refused of [() => requireTimeZone(timeZone), () => firstMoment('2026-11-30', timeZone)])
      expect(refused).toThrow('timeZone: is not the IANA name of a time zone')
  },
)
