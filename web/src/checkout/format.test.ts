import { expect, test } from '@jest/globals'
import { tokensText } from './format.ts'

test.each([
  ['0', 'en', '0'],
  ['12.50', 'en', '12.5'],
  ['9007199254740993.000000000000000001', 'en', '9,007,199,254,740,993.000000000000000001'],
  ['24750000.25', 'fr', '24\u202f750\u202f000,25'],
  ['1234.5', 'ar', '1,234.5'],
] as const)('%s tokens are exact and in groups in %s: %s', (amount, language, text) => {
  expect(tokensText(amount, language)).toBe(text)
})
