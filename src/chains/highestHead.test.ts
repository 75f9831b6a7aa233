import { expect, test } from '@jest/globals'
import { highestHead, maxHeightsAhead } from './highestHead.ts'

const now = Date.parse('2026-11-28T22:00:00Z')
/** @param ageS of its block, in seconds; five by default */
const reported = (height: number, ageS = 5) => ({ height, time: new Date(now - ageS * 1000) })

function highest(...heads: ReturnType<typeof reported>[]) {
  const doubted: string[] = []
  const named = heads.map((each, index) => ({ ...each, source: `node ${index}` }))
  const { height, source } = highestHead({ doubt: (name) => void doubted.push(name) }, named, () => now)
  return { height, source, doubted }
}

test('the highest head is the chain’s, the first of equal ones', () => {
  expect(highest(reported(3), reported(5), reported(5), reported(4))).toEqual({ height: 5, source: 'node 1', doubted: [] })
  expect(highest(reported(100), reported(100 + maxHeightsAhead))).toMatchObject({ height: 100 + maxHeightsAhead, doubted: [] })
})

test('a head far above all others is not taken, and its node alone is doubted', () => {
  expect(highest(reported(100), reported(101 + maxHeightsAhead), reported(90))).toEqual({ height: 100, source: 'node 0', doubted: ['node 1'] })
  expect(highest(reported(10 ** 12), reported(100), reported(10 ** 9))).toMatchObject({ height: 100, doubted: ['node 0', 'node 2'] })
})

test('a node that is stuck contradicts no other: neither one that is right, nor one that reports too low a height', () => {
  expect(highest(reported(100, 86_400), reported(20_000))).toEqual({ height: 20_000, source: 'node 1', doubted: [] })
  expect(highest(reported(20_000), reported(3))).toMatchObject({ height: 3, doubted: ['node 0'] })
  expect(highest(reported(20_000), reported(19_999), reported(3))).toMatchObject({ height: 20_000, doubted: [] })
})

test('a head of another time than now counts only where no node has one of now', () => {
  expect(highest(reported(10 ** 9, 86_400), reported(100))).toEqual({ height: 100, source: 'node 1', doubted: [] })
  expect(highest(reported(10 ** 9, -86_400), reported(100))).toEqual({ height: 100, source: 'node 1', doubted: [] })
  expect(highest(reported(20_000, 86_400), reported(100, 90_000))).toEqual({ height: 20_000, source: 'node 0', doubted: [] })
})

test('one node is believed', () => {
  expect(highest(reported(10 ** 9))).toEqual({ height: 10 ** 9, source: 'node 0', doubted: [] })
})
