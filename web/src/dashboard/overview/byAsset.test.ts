import { expect, test } from '@jest/globals'
import { byAsset } from './byAsset.ts'
import { sumOfDecimals } from './decimals.ts'

test('decimals are summed exactly', () => {
  expect(sumOfDecimals(['0.1', '0.2'])).toBe('0.3')
  expect(sumOfDecimals(['12345678901234567890.01', '0.99'])).toBe('12345678901234567891')
  expect(sumOfDecimals(['100', '20'])).toBe('120')
  expect(sumOfDecimals([])).toBe('0')
  expect(() => sumOfDecimals(['-1'])).toThrow('not a decimal: -1')
})

test('what was taken is summed by network and token, the largest first; without a price it has no amount', () => {
  const usdc = { chain: 'base', token: 'USDC' }
  const usdt = { chain: 'tron', token: 'USDT' }
  const none = { chain: 'base', token: 'USDT' }
  const day = (date: string, assets: Parameters<typeof byAsset>[0][number]['assets']) => ({
    date,
    amount: '0',
    payments: 0,
    assets,
  })
  expect(
    byAsset([
      day('2026-11-29', [{ ...usdc, tokens: '1.5', amount: '10', payments: 2 }]),
      day('2026-11-30', [
        { ...usdc, tokens: '1', amount: '15.5', payments: 1 },
        { ...usdt, tokens: '4', amount: '74.5', payments: 3 },
        { ...none, tokens: '2', amount: null, payments: 1 },
      ]),
    ]),
  ).toEqual([
    { ...usdt, tokens: '4', amount: '74.5', payments: 3, share: 74.5 },
    { ...usdc, tokens: '2.5', amount: '25.5', payments: 3, share: 25.5 },
    { ...none, tokens: '2', amount: null, payments: 1, share: 0 },
  ])
})
