import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hasInexactNumber, jsonTokens, problemOfNumber } from './exactJson.ts'

describe('a number', () => {
  test.each([
    '738529527931269425',
    '-9007199254740993',
    '9007199254740992',
    '1e20',
    '1e400',
    '-1e309',
    '1e-400',
    '0.10000000000000001',
    '1.23456789012345678',
  ])('%s is not kept', (source) => expect(problemOfNumber(source)).toMatch(/send it as a string$/))

  test.each([
    '0',
    '-0',
    '1.0',
    '1.50',
    '1e2',
    '1E+2',
    '0.1',
    '9007199254740991',
    '-9007199254740991',
    '0.000000000000000001',
    '1e-7',
    '100000000000000.0',
  ])('%s is kept', (source) => expect(problemOfNumber(source)).toBeNull())

  test('that JSON.stringify writes is kept, but for integers beyond 2^53', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value)
        expect(problemOfNumber(JSON.stringify(value)) === null).toBe(!isLarge)
      }),
    )
  })
})

test('strings of digits are not numbers', () => {
  expect(hasInexactNumber('{"738529527931269425":"1e400","a":["\\"738529527931269425"]}')).toBe(false)
  expect(hasInexactNumber('{"a":{"b":[1,{"c":738529527931269425}]}}')).toBe(true)
})

test('every string, name and number of a JSON text is found at its place', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const found = [...jsonTokens(JSON.stringify(value))].filter(({ kind }) => kind !== 'name')
      expect(found.map(({ path, source }) => [path.join('\n'), JSON.parse(source)])).toEqual(
        leavesOf(value, []),
      )
    }),
  )
})

function leavesOf(value: unknown, path: string[]): [string, unknown][] {
  if (typeof value === 'string' || typeof value === 'number')
    return [[path.join('\n'), JSON.parse(JSON.stringify(value))]]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]))
}
