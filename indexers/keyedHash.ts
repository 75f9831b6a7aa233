import { randomFillSync } from 'node:crypto'

const { imul } = Math

export interface KeyedHash {
  /** The 64 bits of the last call: two independent halves. */
  readonly halves: Uint32Array
  /** Hashes the address that starts at a word. */
  hash(words: Uint32Array, at: number): void
}

/**
 * A hash of 64 bits by a secret of 128 bits, new for each table. Its output never leaves the process, so that
 * nothing can be learned about the secret except from how long a lookup takes.
 *
 * Each word enters both halves of the state, by xor and by addition, and each half is multiplied by a secret
 * odd number. A product carries differences up only, and one in the highest bit stays there for any secret:
 * that is how two inputs that collide under every secret are made for a state of one word. Here each half
 * turns its bits by another distance, so that the word that cancels such a difference in one half leaves it
 * in the other, low, where the next product spreads it by the secret. The end mixes the halves into each
 * other and is a bijection: it adds no collision.
 * @param length words of an address
 * @param secret four words; random by default
 */
export function createKeyedHash(
  length: number,
  secret: Uint32Array = randomFillSync(new Uint32Array(4)),
): KeyedHash {
  const [startA = 0, startB = 0, oddA = 0, oddB = 0] = secret
  const byA = oddA | 1
  const byB = oddB | 1
  const halves = new Uint32Array(2)
  return {
    halves,
    hash(words, at) {
      let a = startA | 0
      let b = startB | 0
      for (let i = at; i < at + length; i++) {
        const word = words[i] as number
        a = imul(a ^ word, byA)
        a = (a << 3) | (a >>> 29)
        b = imul((b + word) | 0, byB)
        b = (b << 11) | (b >>> 21)
      }
      // The constants are those of two well-known mixers of 32 bits: murmur3's, and Wellons' lowbias32.
      a ^= (b << 16) | (b >>> 16)
      a = imul(a ^ (a >>> 16), 0x85ebca6b)
      a = imul(a ^ (a >>> 13), 0xc2b2ae35)
      a ^= a >>> 16
      b = (b + a) | 0
      b = imul(b ^ (b >>> 16), 0x7feb352d)
      b = imul(b ^ (b >>> 15), 0x846ca68b)
      b ^= b >>> 16
      halves[0] = a
      halves[1] = b
    },
  }
}
