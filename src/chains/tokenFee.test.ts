import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { refuseTokenFee, tokenFeeOf } from './tokenFee.ts'

const usdt = { symbol: 'USDT', decimals: 6 }

test('the fee of TetherToken is a share of the amount, rounded down, up to its maximum', () => {
  expect(tokenFeeOf(40_000_000n, { rate: 10n, max: 20_000_000n })).toBe(40_000n)
  expect(tokenFeeOf(999n, { rate: 10n, max: 20_000_000n })).toBe(0n)
  expect(tokenFeeOf(10n ** 15n, { rate: 10n, max: 20_000_000n })).toBe(20_000_000n)
})

test('a transfer is refused exactly where the recipient would get less', () => {
  const amounts = fc.bigInt({ min: 1n, max: 2n ** 128n })
  fc.assert(
    fc.property(
      amounts,
      fc.bigInt({ min: 0n, max: 19n }),
      fc.bigInt({ min: 0n, max: 10n ** 9n }),
      (amount, rate, max) => {
        const arrives = amount - tokenFeeOf(amount, { rate, max })
        expect(arrives > 0n && arrives <= amount).toBe(true)
        const refused = () => refuseTokenFee(usdt, amount, { rate, max })
        if (arrives === amount) expect(refused).not.toThrow()
        else expect(refused).toThrow(expect.objectContaining({ reason: 'token_takes_fee' }))
      },
    ),
  )
})

test('a token without settings takes no fee', () => {
  expect(() => refuseTokenFee(usdt, 10n ** 30n, null)).not.toThrow()
})
