import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bitsOfPart, gramsOf } from './grams.ts'

const has = (grams: Buffer, bit: number) => ((grams[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
const mayHave = (grams: Buffer, part: string) => bitsOfPart(part).every((bit) => has(grams, bit))

test('every part of a text has its bits', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 5 }),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      (texts, which, from, size) => {
        const text = texts[which % texts.length] ?? ''
        const at = from % text.length
        expect(mayHave(gramsOf(texts), text.slice(at, at + 1 + (size % text.length)))).toBe(true)
      },
    ),
  )
})

test('most parts that no text has lack one', () => {
  const texts = Array.from({ length: 40 }, (_, n) => `inv-${String(n * 7919).padStart(7, '0')} order ${n}`)
  const grams = gramsOf(texts)
  const absent = Array.from({ length: 1000 }, (_, n) => `absent ${n * 31}`)
  expect(absent.filter((part) => mayHave(grams, part)).length).toBeLessThan(5)
  const three = ['zzz', 'qqq', 'xyz', 'caf', 'été', 'foo', 'bar', 'baz', 'kkk', 'www']
  expect(three.filter((part) => mayHave(grams, part)).length).toBeLessThan(5)
})

test('fewer than three letters have no bits, and a long part has few', () => {
  expect(bitsOfPart('ab')).toEqual([])
  expect(bitsOfPart('abc')).toHaveLength(1)
  expect(bitsOfPart('x'.repeat(10) + 'abcdefghijklmnop'.repeat(10)).length).toBeLessThanOrEqual(8)
})
