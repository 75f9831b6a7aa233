import { expect, test } from '@jest/globals'
import { dayTicks } from './dayTicks.ts'

const days = ['1', '2', '3', '4', '5', '6', '7']

test.each([
  [7, days],
  [4, ['1', '3', '5', '7']],
  [2, ['3', '7']],
  [1, ['7']],
  [0, ['7']],
])('of seven days at most %i are named, with the last', (count, named) => {
  expect(dayTicks(days, count)).toEqual(named)
})
