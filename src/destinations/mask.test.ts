import { expect, test } from '@jest/globals'
import { masked, maskedEmail } from './mask.ts'

test.each([
  ['0123456789', '****6789'],
  ['12345678', '****5678'],
  ['1234567', '****567'],
  ['1234', '****34'],
  ['1', '****'],
  ['', '****'],
])('of %j no more than the last four characters, and no more than half, are shown', (text, shown) =>
  expect(masked(text)).toBe(shown),
)

test.each([
  ['ada@stores.example', 'a****@stores.example'],
  ['a@b', 'a****@b'],
  ['"a@b"@stores.example', '"****@stores.example'],
])('of the address %s its first character and its domain are shown', (email, shown) =>
  expect(maskedEmail(email)).toBe(shown),
)
