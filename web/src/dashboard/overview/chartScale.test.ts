import { expect, test } from '@jest/globals'
import { chartScale } from './chartScale.ts'

test.each([
  [0, 1, [0]],
  [7, 8, [8, 6, 4, 2, 0]],
  [10, 10, [10, 7.5, 5, 2.5, 0]],
  [99, 100, [100, 75, 50, 25, 0]],
  [0.03, 0.03, [0.03, 0.02, 0.01, 0]],
  [1234567, 1500000, [1500000, 1000000, 500000, 0]],
])('a largest value of %d has a scale up to %d', (largest, top, lines) => {
  expect(chartScale(largest)).toEqual({ top, lines })
})

test('the scale holds each value, with at most five lines above zero', () => {
  for (let value = 0.0001; value < 1e15; value *= 1.37) {
    const { top, lines } = chartScale(value)
    expect(top).toBeGreaterThanOrEqual(value)
    expect(lines.length).toBeLessThanOrEqual(6)
    expect(lines.at(-1)).toBe(0)
  }
})
