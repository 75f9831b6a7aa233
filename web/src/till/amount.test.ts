import { expect, test } from '@jest/globals'
import { decimalsOf, type Key, keyOf, readAmount, shownAmount, typed } from './amount.ts'

const after = (keys: string, decimals = 2) =>
  keys.split(' ').reduce((amount, key) => typed(amount, key as Key, decimals), '')

test.each([
  ['2 5 0 0 0', '25000'],
  ['0 0 7', '7'],
  ['. 5', '0.5'],
  ['1 . 2 . 3 4', '1.23'],
  ['1 2 back back back 3', '3'],
  ['1 . back 5', '15'],
  ['9 9 clear', ''],
  ['1 2 3 4 5 6 7 8 9 0 1 2 3 4', '123456789012'],
])('%s makes %s', (keys, amount) => expect(after(keys)).toBe(amount))

test('a currency without decimals has no point', () => {
  expect(decimalsOf('JPY')).toBe(0)
  expect(decimalsOf('NGN')).toBe(2)
  expect(after('5 . 5', 0)).toBe('55')
})

test('nothing and zero are no amounts; a point at the end is none', () => {
  expect(['', '0', '0.', '0.00'].map(readAmount)).toEqual([null, null, null, null])
  expect(['5.', '0.50', '25000'].map(readAmount)).toEqual(['5', '0.50', '25000'])
})

test('is shown as its reader writes it, exactly', () => {
  expect(shownAmount('999999999999.10', 'en')).toBe('999,999,999,999.10')
  expect(shownAmount('25000.', 'de')).toBe('25.000,')
  expect(shownAmount('', 'en')).toBe('0')
})

test('a keyboard has the same keys', () => {
  expect(['7', ',', '.', 'Backspace', 'Escape', 'a', 'Enter', 'F1'].map(keyOf)).toEqual([
    '7',
    '.',
    '.',
    'back',
    'clear',
    null,
    null,
    null,
  ])
})
