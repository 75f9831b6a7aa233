import type { WatchFlags } from '../src/chains/chain.ts'
import { createFingerprints, type Fingerprints, maxFull } from './fingerprints.ts'
import { createKeyedHash } from './keyedHash.ts'

/**
 * Addresses of one length, each with a byte of flags: compact and fast, and not exact. All flags that were
 * added are found. About one in a billion lookups of an address that was not added finds flags of another
 * one: the database decides which watches apply.
 */
export interface WatchTable extends WatchFlags {
  /** Two addresses that are confused count once. */
  readonly size: number
  /** Memory of the table itself. */
  readonly bytes: number
  /** @param flags bits to set in addition; bits are never cleared */
  add(address: Uint8Array, flags?: number): void
  /** False for anything that is not an address: unchecked data from a chain must not throw. */
  has(address: Uint8Array): boolean
}

/** Room for addresses that are added later, before there is a second part. */
const room = 1.2
const minSlots = 2 ** 16
/**
 * Up to this many slots, a further part has twice the slots so far: few parts. A larger table grows by half:
 * little memory.
 */
const maxGenerous = 2 ** 19

/**
 * Keeps a fingerprint of each address instead of its bytes: of 64 bits of a keyed hash, 32 choose the slot
 * and 32 are stored, so 1,000,000 addresses of any width take 7.1 MB. The key is secret, so that addresses
 * are not easily crafted that are confused, or that fill one run of slots. Without the addresses, slots
 * cannot move to a larger array: a table with more than `expected` addresses gets further parts, and a lookup
 * reads each of them. The next start counts all of them, and has one part again.
 *
 * The rate of false hits is the average number of fingerprints that a search could end at, divided by 2^32:
 * one in 1.8 billion lookups when the expected number is reached (71 % full), one in 750 million at 85 %;
 * with several parts the rates add up. Measured in fingerprints.test.ts.
 * @param width bytes of an address; a multiple of 4
 * @param expected number of addresses
 */
export function createWatchTable(width: number, expected = 0): WatchTable {
  if (width <= 0 || width % 4 !== 0) throw new RangeError('the width must be a multiple of 4')
  const { halves, hash } = createKeyedHash(width / 4)
  const scratch = new Uint32Array(width / 4)
  const view = new Uint8Array(scratch.buffer)
  let last = createFingerprints(Math.max(minSlots, Math.ceil((expected * room) / maxFull)))
  const parts: Fingerprints[] = [last]
  const total = (of: (part: Fingerprints) => number) => parts.reduce((sum, part) => sum + of(part), 0)

  /** 0 is an empty slot. */
  const fingerprint = () => (halves[1] as number) || 1

  function grow(): void {
    const slots = total((part) => part.slots.length)
    last = createFingerprints(Math.max(Math.ceil(slots / 2), Math.min(slots * 2, maxGenerous)))
    parts.push(last)
  }

  function flagsAt(words: Uint32Array, at: number): number {
    hash(words, at)
    const place = halves[0] as number
    const of = fingerprint()
    for (let i = 0; i < parts.length; i++) {
      const flags = (parts[i] as Fingerprints).flags(place, of)
      if (flags !== 0) return flags
    }
    return 0
  }

  function flags(address: Uint8Array): number {
    if (address.length !== width) return 0
    view.set(address)
    return flagsAt(scratch, 0)
  }

  return {
    get size() {
      return total((part) => part.size)
    },
    get bytes() {
      return total((part) => part.bytes)
    },
    add(address, flags = 1) {
      if (address.length !== width)
        throw new RangeError(`an address of ${address.length} bytes in a table of ${width}`)
      view.set(address)
      hash(scratch, 0)
      const place = halves[0] as number
      const of = fingerprint()
      for (const part of parts) if (part.mark(place, of, flags)) return
      if (last.isFull()) grow()
      last.add(place, of, flags)
    },
    flags,
    flagsAt,
    has: (address) => flags(address) !== 0,
  }
}
