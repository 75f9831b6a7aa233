import { expect, test } from '@jest/globals'
import { dayRanges } from '../platform/dayRanges.ts'
import { keptDays } from './keptDays.ts'

const start = Date.parse('2026-11-30T00:30:00Z')
const minute = 60_000

function opened() {
  const clock = { now: start }
  const reads: string[][] = []
  const keep = keptDays<number>(() => clock.now)
  const read = (key = 'a') =>
    keep(key, dayRanges('UTC', 3, new Date(clock.now)), async (days) => {
      const dates = days.map(({ date }) => date)
      reads.push(dates)
      return new Map(dates.map((date) => [date, reads.length]))
    })
  return { clock, reads, read }
}

test('today and a day that just ended are read each time, earlier ones every five minutes', async () => {
  const { clock, reads, read } = opened()
  await read()
  expect([...(await read())]).toEqual([
    ['2026-11-28', 1],
    ['2026-11-29', 2],
    ['2026-11-30', 2],
  ])
  clock.now += 5 * minute
  await read()
  expect(reads.map((each) => each.length)).toEqual([3, 2, 3])
  clock.now += 40 * minute
  await read()
  await read()
  expect(reads.at(-1)).toEqual(['2026-11-30'])
})

test('the days of a business are of it alone', async () => {
  const { reads, read } = opened()
  await read('a')
  expect([...(await read('b')).values()]).toEqual([2, 2, 2])
  expect(reads.map((each) => each.length)).toEqual([3, 3])
})

test('those of a thousand businesses are kept, the ones read last', async () => {
  const { reads, read } = opened()
  for (let n = 0; n <= 1000; n++) await read(`business ${n}`)
  reads.length = 0
  await read('business 1000')
  await read('business 0')
  expect(reads.map((each) => each.length)).toEqual([2, 3])
})
