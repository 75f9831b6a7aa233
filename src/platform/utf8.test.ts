import { expect, test } from '@jest/globals'
import { brokenUtf8At } from './utf8.ts'

test.each([
  ['Latin-1', Buffer.from('Café', 'latin1'), 3],
  ['a character that ends too soon', Buffer.from([0x61, 0xe2, 0x82]), 1],
  ['half of a surrogate pair', Buffer.from([0x61, 0x62, 0xed, 0xa0, 0x80]), 2],
  ['an overlong form', Buffer.from([0xc0, 0xaf]), 0],
  ['a byte after a replacement character', Buffer.from([0xef, 0xbf, 0xbd, 0xff]), 3],
])('%s is not UTF-8, from its first wrong byte on', (_what, bytes, at) => {
  expect(brokenUtf8At(bytes)).toBe(at)
})

test.each(['', 'Café Brühl', '\ufffd', '🥐'])('%j is UTF-8', (text) => {
  expect(brokenUtf8At(Buffer.from(text))).toBeNull()
})
