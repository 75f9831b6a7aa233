import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ProviderError } from '../chain.ts'
import { bytesField, encodeBytes, encodeNumber, numberField, readMessage } from './protobuf.ts'

const hexOf = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex')
const fields = fc.integer({ min: 1, max: 500 })
const numbers = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const bytes = fc.uint8Array({ maxLength: 300 })

describe('a message', () => {
  // Protocol Buffers documentation, "Encoding": the message of a number, 150, and that of a text, "testing".
  test("of the documentation's examples is read and written", () => {
    expect(numberField(readMessage(Buffer.from('089601', 'hex')), 1)).toBe(150n)
    expect(encodeNumber(1, 150n).toString('hex')).toBe('089601')
    expect(
      Buffer.from(bytesField(readMessage(Buffer.from('120774657374696e67', 'hex')), 2) ?? []).toString(),
    ).toBe('testing')
    expect(encodeBytes(2, Buffer.from('testing')).toString('hex')).toBe('120774657374696e67')
  })

  test('of any numbers and bytes is read as it was written', () => {
    const parts = fc.uniqueArray(fc.record({ field: fields, value: fc.oneof(numbers, bytes) }), {
      selector: ({ field }) => field,
    })
    fc.assert(
      fc.property(parts, (values) => {
        const written = values.map(({ field, value }) =>
          typeof value === 'bigint' ? encodeNumber(field, value) : encodeBytes(field, value),
        )
        const read = readMessage(Buffer.concat(written))
        for (const { field, value } of values) {
          if (typeof value === 'bigint') expect(numberField(read, field)).toBe(value)
          else expect(hexOf(bytesField(read, field))).toBe(hexOf(value))
        }
      }),
    )
  })

  test('has zero or null for a field that is omitted or of another type', () => {
    const read = readMessage(
      Buffer.concat([encodeNumber(1, 0n), encodeNumber(2, 5n), encodeBytes(3, Buffer.from('a'))]),
    )
    expect([numberField(read, 1), numberField(read, 3), numberField(read, 9)]).toEqual([0n, 0n, 0n])
    expect([bytesField(read, 2), bytesField(read, 9)]).toEqual([null, null])
  })

  test('with a repeated field has the last value, as in protobuf', () => {
    expect(numberField(readMessage(Buffer.concat([encodeNumber(1, 5n), encodeNumber(1, 6n)])), 1)).toBe(6n)
  })

  test.each([
    ['a truncated number', '0896'],
    ['truncated bytes', '1207746573'],
    ['a field without a value', '08'],
    ['a number of more than ten bytes', `08${'ff'.repeat(10)}01`],
    ['a length beyond the end', '12ffffffffffffffff7f'],
    ['an unsupported wire type (3: group)', '0b'],
  ])('with %s is refused', (_what, hex) => {
    expect(() => readMessage(Buffer.from(hex, 'hex'))).toThrow(ProviderError)
  })

  test('of arbitrary bytes is read, or is a provider error', () => {
    fc.assert(
      fc.property(bytes, (any) => {
        try {
          readMessage(any)
        } catch (error) {
          expect(error).toBeInstanceOf(ProviderError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
