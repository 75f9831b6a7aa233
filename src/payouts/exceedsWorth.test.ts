import { expect, test } from '@jest/globals'
import { exceedsWorth } from './exceedsWorth.ts'

// 10 USDC at 1,610.5 are 16,105, and a quarter more 20,131.25.
test.each([
  [16_105n, false],
  [20_131n, false],
  [20_132n, true],
  [161_050n, true],
])('a bank gets %s for 10 USDC at 1610.5: too much is %s', (localAmount, isTooMuch) => {
  expect(exceedsWorth(10_000_000n, 6, '1610.5', localAmount)).toBe(isTooMuch)
  expect(exceedsWorth(10n * 10n ** 18n, 18, '1610.50', localAmount)).toBe(isTooMuch)
})
