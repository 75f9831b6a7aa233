import { expect, test } from '@jest/globals'
import { amountIn, mistakeOf } from './namedAmount.ts'

test.each([
  ['25', 'en', '25'],
  [' 12.50 ', 'en', '12.50'],
  ['12,50', 'fr', '12.50'],
  ['12,50', 'pt', '12.50'],
  // Twelve and a half for some, 1,250 with a slip for others: nobody is guessed at.
  ['12,50', 'en', null],
  ['1,500.00', 'en', null],
  ['١٢٫٥', 'ar', '12.5'],
  ['0', 'en', null],
  ['0.00', 'en', null],
  ['-5', 'en', null],
  ['1e3', 'en', null],
  ['', 'en', null],
  ['1000000000000000000', 'en', null],
] as const)('%j in %s is %j', (text, language, amount) => {
  expect(amountIn(text, language)).toBe(amount)
})

test.each([
  [null, 'amountForm'],
  ['500', null],
  ['499.99', 'amountTooSmall'],
  ['100000.00', null],
  ['100000.01', 'amountTooLarge'],
  ['600.001', 'amountDecimals'],
] as const)('%j between 500 and 100000 with two decimals: %j', (amount, mistake) => {
  expect(mistakeOf(amount, { decimals: 2, min: '500', max: '100000' })).toBe(mistake)
})
