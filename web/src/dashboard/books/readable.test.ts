import { expect, test } from '@jest/globals'
import { readable } from './readable.ts'

test.each([
  ['0', '0', false],
  ['12.5', '12.5', false],
  ['-2.25', '−2.25', false],
  ['190382.5', '190,382.5', false],
  ['15.764417', '15.764417', false],
  ['0.123456789', '0.123456', true],
  ['0.000000001234', '0.0000000012', true],
  ['0.000000000000000001', '0.000000000000000001', false],
  ['123456789123.123456789123456789', '123,456,789,123.123456', true],
  ['1.500000', '1.5', false],
])('%s is read as %s', (exact, text, isRounded) => {
  expect(readable(exact)).toEqual({ text, isRounded })
})
