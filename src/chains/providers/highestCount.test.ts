import { expect, test } from '@jest/globals'
import { highestCount } from './highestCount.ts'

function highest(...counts: bigint[]) {
  const doubted: string[] = []
  const count = highestCount(
    { doubt: (name) => void doubted.push(name) },
    counts.map((each, index) => ({ source: `node ${index}`, count: each })),
  )
  return { count, doubted }
}

test('is the highest that any node knows', () => {
  expect(highest(3n, 1003n, 7n)).toEqual({ count: 1003n, doubted: [] })
  expect(highest(5n)).toEqual({ count: 5n, doubted: [] })
  expect(highest()).toEqual({ count: undefined, doubted: [] })
})

test('is not that of nodes far ahead of all others, which are doubted', () => {
  expect(highest(3n, 1004n)).toEqual({ count: 3n, doubted: ['node 1'] })
  expect(highest(10n ** 9n, 4n, 10n ** 12n, 3n)).toEqual({ count: 4n, doubted: ['node 2', 'node 0'] })
})
