import { expect, test } from '@jest/globals'
import { type BatchSize, createBatchSize } from './batchSize.ts'

function setUp() {
  const clock = { now: 1_700_000_000_000 }
  return { clock, size: createBatchSize(() => clock.now) }
}

/** The sizes of some requests that are answered quickly, with that many bytes for each call. */
const grown = (size: BatchSize, requests: number, bytes = 1000): number[] =>
  Array.from({ length: requests }, () => {
    const calls = size.size()
    size.answered(calls, 50, calls * bytes)
    return calls
  })

test('starts small and doubles while answers come in time, up to 100 calls', () => {
  expect(grown(setUp().size, 9)).toEqual([2, 4, 8, 16, 32, 64, 100, 100, 100])
})

test('grows once for requests that were under way together', () => {
  const { size } = setUp()
  for (let n = 0; n < 16; n++) size.answered(2, 50, 1000)
  expect(size.size()).toBe(4)
})

test('does not grow by requests that had room for more', () => {
  const { size } = setUp()
  grown(size, 3)
  for (let n = 0; n < 16; n++) size.answered(3, 50, 1000)
  expect(size.size()).toBe(16)
})

test('does not grow past answers of four megabytes, and falls above', () => {
  const { size } = setUp()
  expect(grown(size, 5, 1_000_000)).toEqual([2, 4, 4, 4, 4])
  size.answered(4, 50, 5_000_000)
  expect(size.size()).toBe(2)
  size.answered(2, 50, 5_000_000)
  expect(size.size()).toBe(1)
})

test('does not grow by answers that take half a second, and falls where they take two', () => {
  const { size } = setUp()
  grown(size, 2)
  size.answered(8, 500, 1000)
  expect(size.size()).toBe(8)
  size.answered(8, 2001, 1000)
  expect(size.size()).toBe(4)
})

test('is halved by a request without an answer, down to one call, and grows again', () => {
  const { size } = setUp()
  grown(size, 3)
  const falling = Array.from({ length: 6 }, () => {
    size.failed(size.size())
    return size.size()
  })
  expect(falling).toEqual([8, 4, 2, 1, 1, 1])
  expect(grown(size, 3)).toEqual([1, 2, 4])
})

test('stays below a size that was refused, for a minute', () => {
  const { clock, size } = setUp()
  grown(size, 4)
  size.refused(32)
  expect(grown(size, 4)).toEqual([16, 31, 31, 31])
  clock.now += 59_000
  expect(grown(size, 2)).toEqual([31, 31])
  clock.now += 1000
  expect(grown(size, 3)).toEqual([62, 100, 100])
})

test('is one for a provider that refuses every batch', () => {
  const { clock, size } = setUp()
  size.refused(2)
  expect(grown(size, 3)).toEqual([1, 1, 1])
  clock.now += 60_000
  expect(grown(size, 1)).toEqual([2])
})
