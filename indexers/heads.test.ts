import { expect, test } from '@jest/globals'
import { header } from '../test/support/madeBlocks.ts'
import { createReportedHead } from './heads.ts'

function setUp(blockMs: number) {
  const clock = { now: 1_000_000 }
  return { clock, reported: createReportedHead(blockMs, () => clock.now) }
}

test('the newest reported head is taken once', () => {
  const { reported } = setUp(12_000)
  expect(reported.take()).toBeNull()
  reported.report(header(5))
  reported.report(header(6))
  expect(reported.take()).toEqual(header(6))
  expect(reported.take()).toBeNull()
})

test('a subscription that never reported a head is not relied on', () => {
  expect(setUp(12_000).reported.isLively()).toBe(false)
})

test.each([
  [12_000, 60_000],
  [2000, 10_000],
  // Blocks come faster than a hiccup lasts.
  [250, 3000],
])('with a block each %i ms it is relied on for %i ms after a head, taken or not', (blockMs, patienceMs) => {
  const { clock, reported } = setUp(blockMs)
  reported.report(header(5))
  reported.take()
  clock.now += patienceMs - 1
  expect(reported.isLively()).toBe(true)
  clock.now += 1
  expect(reported.isLively()).toBe(false)
  reported.report(header(6))
  expect(reported.isLively()).toBe(true)
})
