import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { readFromBlock, readMetadata, sameJson } from './monitoringForm.ts'

describe('metadata', () => {
  test('is read as it was written, or is null if the field is empty', () => {
    expect(readMetadata(' \n')).toBeNull()
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) =>
        expect(sameJson(readMetadata(JSON.stringify(value)), value)).toBe(true),
      ),
    )
  })

  test('is refused at its field if it is not an object', () => {
    for (const text of ['order 1', '[1]', '1', 'null', '"text"', '{"open": '])
      expect(() => readMetadata(text)).toThrow(
        expect.objectContaining({ fields: { metadata: expect.any(String) } }),
      )
  })
})

test('two values are equal in any order of their names', () => {
  expect(sameJson({ a: 1, b: { c: [1, 2], d: null } }, { b: { d: null, c: [1, 2] }, a: 1 })).toBe(true)
  expect(sameJson({ a: 1 }, { a: '1' })).toBe(false)
  expect(sameJson({ a: [1, 2] }, { a: [2, 1] })).toBe(false)
  expect(sameJson(null, {})).toBe(false)
})

test('a height is a number, and left out if the field is empty', () => {
  const data = new FormData()
  expect(readFromBlock(data)).toBeUndefined()
  data.set('fromBlock', ' 0 ')
  expect(readFromBlock(data)).toBe(0)
})
