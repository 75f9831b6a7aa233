import { expect, test } from '@jest/globals'
import { exceedsWorth } from './exceedsWorth.ts'

// 10 USDC at 1,610.5 are 16,105, and 2 % more 16,427.1.
test.each([
  [16_105n, false],
  [16_427n, false],
  [16_428n, true],
  [161_050n, true],
])('a bank gets %s for 10 USDC at 1610.5: more than 2 %% above is %s', (localAmount, isTooMuch) => {
  expect(exceedsWorth(10_000_000n, 6, '1610.5', localAmount, '2')).toBe(isTooMuch)
  expect(exceedsWorth(10n * 10n ** 18n, 18, '1610.50', localAmount, '2')).toBe(isTooMuch)
})

test('the share is the one that is set', () => {
  expect([16_105n, 16_106n].map((amount) => exceedsWorth(10_000_000n, 6, '1610.5', amount, '0'))).toEqual([
    false,
    true,
  ])
  expect([20_131n, 20_132n].map((amount) => exceedsWorth(10_000_000n, 6, '1610.5', amount, '25'))).toEqual([
    false,
    true,
  ])
})
