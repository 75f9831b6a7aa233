import { expect, test } from '@jest/globals'
import { header } from '../test/support/madeBlocks.ts'
import { createHeadTold } from './heads.ts'

function setUp(blockMs: number) {
  const clock = { now: 1_000_000 }
  return { clock, told: createHeadTold(blockMs, () => clock.now) }
}

test('the newest head that was told is taken once', () => {
  const { told } = setUp(12_000)
  expect(told.take()).toBeNull()
  told.tell(header(5))
  told.tell(header(6))
  expect(told.take()).toEqual(header(6))
  expect(told.take()).toBeNull()
})

test('a subscription that never told a head is not relied upon', () => {
  expect(setUp(12_000).told.isLively()).toBe(false)
})

test.each([
  [12_000, 60_000],
  [2000, 10_000],
  // Blocks come faster than a hiccup lasts.
  [250, 3000],
])('with a block each %i ms it is relied upon for %i ms after a head, taken or not', (blockMs, patienceMs) => {
  const { clock, told } = setUp(blockMs)
  told.tell(header(5))
  told.take()
  clock.now += patienceMs - 1
  expect(told.isLively()).toBe(true)
  clock.now += 1
  expect(told.isLively()).toBe(false)
  told.tell(header(6))
  expect(told.isLively()).toBe(true)
})
