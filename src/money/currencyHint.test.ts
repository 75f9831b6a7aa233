import { expect, test } from '@jest/globals'
import { currencies } from './currencies.ts'
import { currencyHint } from './currencyHint.ts'

test.each([
  ['ngn', 'NGN'],
  ['NGN ', 'NGN'],
  [' Ngn', 'NGN'],
  ['N.G.N', 'NGN'],
  ['naira', 'NGN'],
  ['Nigerian  Naira', 'NGN'],
  ['euros', 'EUR'],
  ['NGM', 'NGN'],
  ['NNG', 'NGN'],
  ['NGNN', 'NGN'],
  ['KS', 'KES'],
])('"%s" means %s', (text, code) => {
  expect(currencyHint(text, ['EUR', 'KES', 'NGN', 'USD'])).toBe(`; did you mean ${code}?`)
})

test('a text that is near to several names them', () => {
  expect(currencyHint('EGX', ['EGP', 'UGX', 'USD'])).toBe('; did you mean EGP or UGX?')
})

test.each([
  ['a name that several have', 'dollar'],
  ['what is near to too many', 'X'],
  ['what is near to none', 'BITCOIN'],
  ['nothing', ''],
  ['spaces', '   '],
  ['a currency, which has no rate', 'ZMW'],
  ['a long text', 'NGN'.repeat(20)],
  ['a number', 566],
  ['a name of the language', 'constructor'],
])('%s gets no hint', (_, text) => {
  expect(currencyHint(text, ['EUR', 'KES', 'NGN', 'USD'])).toBe('')
})

test('a code of which one letter is missing, too many, another, or at the next place is near, for every currency', () => {
  for (const code of currencies.keys()) {
    const [a, b, c] = code
    for (const off of [
      `${a}${b}`,
      `${b}${c}`,
      `${a}${c}`,
      `${code}Q`,
      `Q${code}`,
      `${b}${a}${c}`,
      `${a}${c}${b}`,
      `${a}${b}1`,
    ])
      expect([off, currencies.has(off) ? code : currencyHint(off, [code])]).toEqual([
        off,
        expect.stringContaining(code),
      ])
  }
})
