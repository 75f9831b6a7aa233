import { expect, test } from '@jest/globals'
import { untilAway } from './awayFromMidnight.ts'

const at = (time: string) => Date.parse(`2026-05-31T${time}Z`)

test.each([
  ['long before midnight', '12:00:00', 0, 0],
  ['a moment before the last minutes', '23:56:59.999', 0, 0],
  ['as the last minutes begin', '23:57:00', 0, 181_000],
  ['a moment before midnight', '23:59:59.999', 0, 1001],
  ['at midnight', '00:00:00', 0, 0],
  ['before midnight of a zone one hour ahead', '22:58:00', 1, 121_000],
  ['before midnight of UTC, where the zone is past its own', '23:58:00', 1, 0],
])('%s, it waits exactly until the next day has begun, if at all', (_, time, hoursAhead, wait) => {
  expect(untilAway(at(time), 180_000, hoursAhead)).toBe(wait)
})
