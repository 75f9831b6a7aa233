import { afterEach, expect, jest, test } from '@jest/globals'
import { firstIdAt, isUuid, newId, newIds } from './ids.ts'

afterEach(() => {
  jest.restoreAllMocks()
})

test('ids are UUIDs of version 7, differ, and sort as they were made, also in one millisecond and when the clock goes back', () => {
  let now = Date.now() + 60_000
  jest.spyOn(Date, 'now').mockImplementation(() => now)
  const ids: string[] = []
  for (const step of [0, 1, -5000, 5001, 3]) {
    now += step
    ids.push(newId(), ...newIds(1000), newId())
  }
  expect(ids.every((id) => isUuid(id) && id[14] === '7')).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  expect(ids[0]?.slice(0, 13)).toBe(firstIdAt(now - 5).slice(0, 13))
  expect(ids.at(-1)?.slice(0, 13)).toBe(firstIdAt(now).slice(0, 13))
})

test('what is random in ids differs from id to id: 74 bits less the counter', () => {
  const tails = newIds(10_000).map((id) => id.slice(-12))
  expect(new Set(tails).size).toBe(tails.length)
  // Each of the last 46 bits is set in about half of them: six standard deviations are 300.
  for (let bit = 0; bit < 46; bit++) {
    const set = tails.filter((tail) => (BigInt(`0x${tail}`) >> BigInt(bit)) & 1n).length
    expect(Math.abs(set - 5000)).toBeLessThan(300)
  }
})
