import { expect, test } from '@jest/globals'
import { holdsInvisible } from './invisible.ts'

test.each([
  ['an override of the direction', '\u202e'],
  ['an isolate', '\u2066'],
  ['a mark of the direction', '\u200f'],
  ['an Arabic letter mark', '\u061c'],
  ['a space without width', '\u200b'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a Hangul filler', '\u3164'],
  ['a tag', '\u{e0041}'],
  ['an escape', '\u001b'],
  ['a control of Latin-1', '\u0085'],
  ['a line separator', '\u2028'],
  ['an annotation', '\ufff9'],
])('%s is invisible', (_what, character) => {
  expect(holdsInvisible(`Shop ${character}7`)).toBe(true)
})

test.each([
  'Till 7',
  'Café Brühl',
  'متجر',
  '店舗の財布',
  'می‌خواهم',
  '👩‍💻 ❤️',
  'two\nlines\tand a tab',
  'क्‍ष',
  'e\u0301',
])('%j has nothing invisible', (text) => {
  expect(holdsInvisible(text)).toBe(false)
})
