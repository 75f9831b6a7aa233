import { expect, test } from '@jest/globals'
import { weightOf } from './weight.ts'

test.each([
  [0, 0, 1],
  [0, 9_999, 1],
  [19, 200, 1],
  [20, 200, 2],
  [1000, 60_000, 57],
  [10_000, 4_000_000, 901],
])('%d rows in %d bytes weigh as much as %d requests', (rows, bytes, weight) =>
  expect(weightOf({ rows, bytes })).toBe(weight),
)
