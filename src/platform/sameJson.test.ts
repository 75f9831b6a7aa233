import { expect, test } from '@jest/globals'
import { sameJson } from './sameJson.ts'

test('values are the same in any order of keys, and not of items', () => {
  expect(sameJson({ a: 1, b: [{ c: null, d: '2' }] }, { b: [{ d: '2', c: null }], a: 1 })).toBe(true)
  expect(sameJson([1, 2], [2, 1])).toBe(false)
  expect(sameJson({ a: null }, {})).toBe(false)
  expect(sameJson(null, 'null')).toBe(false)
})
