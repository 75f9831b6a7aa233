import { expect, test } from '@jest/globals'
import { highestConfirmed, highestHead, maxHeightsAhead } from './highestHead.ts'

const now = Date.parse('2026-11-28T22:00:00Z')
/** @param ageS of its block, in seconds; five by default */
const reported = (height: number, ageS = 5) => ({ height, time: new Date(now - ageS * 1000) })

type Choice = typeof highestHead
const choosing =
  (choose: Choice) =>
  (...heads: ReturnType<typeof reported>[]) => {
    const doubted: string[] = []
    const named = heads.map((each, index) => ({ ...each, source: `node ${index}` }))
    const { height, source } = choose({ doubt: (name) => void doubted.push(name) }, named, () => now)
    return { height, source, doubted }
  }
const highest = choosing(highestHead)
const confirmed = choosing((providers, heads, clock) => highestConfirmed(providers, heads, 50, clock))

test('the highest head is the chain’s, the first of equal ones', () => {
  expect(highest(reported(3), reported(5), reported(5), reported(4))).toEqual({
    height: 5,
    source: 'node 1',
    doubted: [],
  })
  expect(highest(reported(100), reported(100 + maxHeightsAhead))).toMatchObject({
    height: 100 + maxHeightsAhead,
    doubted: [],
  })
})

test('a head far above all others is not taken, and its node alone is doubted', () => {
  expect(highest(reported(100), reported(101 + maxHeightsAhead), reported(90))).toEqual({
    height: 100,
    source: 'node 0',
    doubted: ['node 1'],
  })
  expect(highest(reported(10 ** 12), reported(100), reported(10 ** 9))).toMatchObject({
    height: 100,
    doubted: ['node 0', 'node 2'],
  })
})

test('a node that is stuck contradicts no other: neither one that is right, nor one that reports too low a height', () => {
  expect(highest(reported(100, 86_400), reported(20_000))).toEqual({
    height: 20_000,
    source: 'node 1',
    doubted: [],
  })
  expect(highest(reported(20_000), reported(3))).toMatchObject({ height: 3, doubted: ['node 0'] })
  expect(highest(reported(20_000), reported(19_999), reported(3))).toMatchObject({
    height: 20_000,
    doubted: [],
  })
})

test('a head of another time than now counts only where no node has one of now', () => {
  expect(highest(reported(10 ** 9, 86_400), reported(100))).toEqual({
    height: 100,
    source: 'node 1',
    doubted: [],
  })
  expect(highest(reported(10 ** 9, -86_400), reported(100))).toEqual({
    height: 100,
    source: 'node 1',
    doubted: [],
  })
  expect(highest(reported(20_000, 86_400), reported(100, 90_000))).toEqual({
    height: 20_000,
    source: 'node 0',
    doubted: [],
  })
})

test('one node is trusted', () => {
  expect(highest(reported(10 ** 9))).toEqual({ height: 10 ** 9, source: 'node 0', doubted: [] })
})

test.each([51, 5000, 20_000_000])(
  'of three nodes, one that is %i above the others is doubted, and sets nothing',
  (ahead) => {
    expect(confirmed(reported(1000), reported(1000 + ahead), reported(990))).toEqual({
      height: 1000,
      source: 'node 0',
      doubted: ['node 1'],
    })
  },
)

test('one that is behind takes the confirmation from no other, nor does one that is stuck', () => {
  expect(confirmed(reported(1000), reported(1010), reported(3))).toEqual({
    height: 1010,
    source: 'node 1',
    doubted: [],
  })
  expect(confirmed(reported(1000), reported(1010), reported(2000, 86_400))).toEqual({
    height: 1010,
    source: 'node 1',
    doubted: [],
  })
})

test('of two that differ, the higher one counts up to the distance of a head that is made up; so where no node confirms another', () => {
  expect(confirmed(reported(1000), reported(1100))).toEqual({ height: 1100, source: 'node 1', doubted: [] })
  expect(confirmed(reported(1000), reported(1001 + maxHeightsAhead))).toEqual({
    height: 1000,
    source: 'node 0',
    doubted: ['node 1'],
  })
  expect(confirmed(reported(1000), reported(1100), reported(1200))).toEqual({
    height: 1200,
    source: 'node 2',
    doubted: [],
  })
})
