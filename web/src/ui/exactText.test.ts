import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { exactText } from './exactText.ts'

const money = (currency: string, locale = 'en', more: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, ...more })

test.each<[text: string, format: Intl.NumberFormat, decimal: string]>([
  ['$9,007,199,254,740,993.01', money('USD'), '9007199254740993.01'],
  ['-$0.50', money('USD'), '-0.5'],
  ['$0.00', money('USD'), '-0.001'],
  ['$2.01', money('USD'), '2.005'],
  ['¥1,000', money('JPY'), '999.5'],
  ['KWD\u00a01.250', money('KWD'), '1.25'],
  ['NGN\u00a01,234.00', money('NGN', 'en', { currencyDisplay: 'code' }), '1234'],
  ['-9\u202f007\u202f199\u202f254\u202f740\u202f993,01\u00a0€', money('EUR', 'fr'), '-9007199254740993.01'],
  ['١٬٢٣٤٫٥', new Intl.NumberFormat('ar-EG'), '1234.5'],
])('%s is exact', (text, format, decimal) => {
  expect(exactText(format, decimal)).toBe(text)
})

test('this Intl, which is exact itself, has the same text of any amount, language and currency', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
      fc.stringMatching(/^\d{1,8}$/),
      fc.constantFrom('en', 'fr', 'pt', 'ar-u-nu-latn', 'ar-EG', 'de-CH', 'hi'),
      fc.constantFrom('USD', 'NGN', 'XOF', 'KWD'),
      (whole, fraction, locale, currency) => {
        const format = money(currency, locale)
        const decimal = `${whole}.${fraction}`
        const expected = format.format(decimal as `${number}`)
        // Intl writes a minus before what it rounds to nothing.
        if (/[1-9١-٩]/.test(expected)) expect(exactText(format, decimal)).toBe(expected)
      },
    ),
  )
})
