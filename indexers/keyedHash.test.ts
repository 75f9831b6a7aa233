import { randomFillSync, randomInt } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { howMany } from '../test/support/full.ts'
import { createKeyedHash, type KeyedHash } from './keyedHash.ts'

type Fill = (bytes: DataView, index: number) => void

/** Addresses that people, contracts and attackers make: most of their bytes are equal. */
const families: [name: string, fill: Fill][] = [
  ['numbers at the end', (bytes, i) => bytes.setUint32(bytes.byteLength - 4, i)],
  ['numbers at the start', (bytes, i) => bytes.setUint32(0, i)],
  ['numbers at the end, little endian', (bytes, i) => bytes.setUint32(bytes.byteLength - 4, i, true)],
  ['the same suffix, multiples of 2^12', (bytes, i) => bytes.setUint32(4, i << 12, true)],
  [
    'the highest bits of every word',
    (bytes, i) => {
      for (let bit = 0; bit < 16; bit++) {
        const at = (bit % (bytes.byteLength / 4)) * 4 + 3
        bytes.setUint8(
          at,
          bytes.getUint8(at) ^ (((i >>> bit) & 1) << (7 - Math.floor(bit / (bytes.byteLength / 4)))),
        )
      }
    },
  ],
]

const count = howMany(2 ** 14, 2 ** 16)

describe.each([20, 40, 44])('the hash of %i bytes', (width) => {
  test.each(families)('spreads %s like random ones, in every part of its bits', (_, fill) => {
    const { halves, hash } = createKeyedHash(width / 4)
    const buckets = {
      'high bits of the first half': [24, 0],
      'low bits of the first half': [0, 0],
      'high bits of the second': [24, 1],
      'low bits of the second': [0, 1],
    } as const
    const bucketList = Object.entries(buckets)
    const counts = Object.fromEntries(Object.keys(buckets).map((name) => [name, new Uint32Array(256)]))
    const whole = new Set<bigint>()
    const words = new Uint32Array(width / 4)
    for (let i = 0; i < count; i++) {
      words.fill(0x5a5a5a5a)
      fill(new DataView(words.buffer), i)
      hash(words, 0)
      for (const [name, [shift, half]] of bucketList) {
        const bucket = ((halves[half] as number) >>> shift) & 255
        const of = counts[name] as Uint32Array
        of[bucket] = (of[bucket] as number) + 1
      }
      whole.add((BigInt(halves[0] as number) << 32n) | BigInt(halves[1] as number))
    }
    const expected = count / 256
    for (const [name, of] of Object.entries(counts)) {
      // Chi-squared with 255 degrees of freedom: above 400 in one of 10^8 trials.
      const chi = of.reduce((sum, each) => sum + (each - expected) ** 2 / expected, 0)
      expect({ name, chi: chi < 400 ? 'even' : chi }).toEqual({ name, chi: 'even' })
    }
    // All inputs are different.
    expect(whole.size).toBe(count)
  })

  test('changes half of its bits, at a change of any bit of the address', () => {
    const words = new Uint32Array(width / 4)
    const trials = howMany(100, 400)
    const hashes = Array.from({ length: 20 }, () => createKeyedHash(width / 4))
    let worst = 0
    for (let bit = 0; bit < width * 8; bit++) {
      const changed = new Uint32Array(64)
      for (let trial = 0; trial < trials; trial++) {
        const { halves, hash } = hashes[trial % hashes.length] as KeyedHash
        randomFillSync(words)
        hash(words, 0)
        const [a = 0, b = 0] = halves
        words[bit >>> 5] = (words[bit >>> 5] as number) ^ (1 << (bit & 31))
        hash(words, 0)
        for (let out = 0; out < 32; out++) {
          changed[out] = (changed[out] as number) + (((a ^ (halves[0] as number)) >>> out) & 1)
          changed[out + 32] = (changed[out + 32] as number) + (((b ^ (halves[1] as number)) >>> out) & 1)
        }
      }
      for (const each of changed) worst = Math.max(worst, Math.abs(each - trials / 2))
    }
    // Seven standard deviations.
    expect(worst).toBeLessThan(7 * Math.sqrt(trials / 4))
  })
})

/**
 * In a state of one word, a word of the address can be found that cancels the change of the one before, for
 * any secret.
 */
test('two changes that cancel each other in one half never collide: the secret decides', () => {
  const words = new Uint32Array(5)
  let same = 0
  for (let trial = 0; trial < 5000; trial++) {
    const { halves, hash } = createKeyedHash(5)
    randomFillSync(words)
    hash(words, 0)
    const before = halves.join()
    const first = randomInt(4)
    words[first] = (words[first] as number) ^ 0x80000000
    // Where each half has turned the highest bit to.
    const [inA, inB] = [1 << 2, 1 << 10]
    const change = [inA, inB, inA | inB, inA ^ 0x80000000][trial % 4] as number
    words[first + 1] = (words[first + 1] as number) ^ change
    hash(words, 0)
    if (halves.join() === before) same++
  }
  expect(same).toBe(0)
})

test('depends on every word of the secret', () => {
  const secret = Uint32Array.of(1, 2, 3, 5)
  const of = (key: Uint32Array) => {
    const { halves, hash } = createKeyedHash(5, key)
    hash(Uint32Array.of(9, 9, 9, 9, 9), 0)
    return [...halves]
  }
  expect(of(secret)).toEqual(of(secret))
  for (const word of [0, 1, 2, 3])
    expect(of(secret.map((each, index) => (index === word ? each + 64 : each)))).not.toEqual(of(secret))
})
