import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { keccak256 } from 'viem'
import { howMany } from '../../../../test/support/full.ts'
import { slowRoot } from '../../../../test/support/slowTrie.ts'
import type { RlpWriter } from '../rlp.ts'
import { hashedTrie } from './hashedTrie.ts'

const how = {
  room: (value: Uint8Array) => value.length,
  write: (writer: RlpWriter, value: Uint8Array) => writer.raw(value),
}
const hex = (value: Uint8Array): `0x${string}` => `0x${Buffer.from(value).toString('hex')}`
const bySecond = (values: readonly Uint8Array[]) => ({
  root: slowRoot(values.map(hex)),
  hashes: values.map((value) => keccak256(value).slice(2)).join(''),
})

test('the root and the hashes are those of a second implementation, of values of any length', () => {
  const value = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 300 }),
    fc
      .constantFrom(32, 55, 56, 135, 136, 137, 271, 272, 70_000)
      .map((length) => new Uint8Array(length).fill(7)),
  )
  fc.assert(
    fc.property(fc.array(value, { maxLength: 40 }), (values) =>
      expect(hashedTrie(values, how)).toEqual(bySecond(values)),
    ),
    { numRuns: howMany(100, 5000) },
  )
})

test.each([0, 1, 2, 16, 17, 127, 128, 129, 255, 256, 257, 300])('so are those of %d values', (count) => {
  const values = Array.from({ length: count }, (_, index) => new Uint8Array(40).fill(index))
  expect(hashedTrie(values, how)).toEqual(bySecond(values))
})

test('values that are shorter than a hash, or longer than the memory, are left to JavaScript', () => {
  const value = new Uint8Array(32)
  expect(hashedTrie([value, value.subarray(1)], how)).toBeNull()
  expect(hashedTrie([value, value], { ...how, room: () => 9 << 20 })).toBeNull()
})
