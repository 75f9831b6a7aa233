/**
 * A table of fingerprints, of fixed capacity, each with a byte of flags. It may confuse two hashes, but never
 * misses one that was added.
 */
export interface Fingerprints {
  readonly size: number
  readonly bytes: number
  /** 0 is an empty slot. */
  readonly slots: Uint32Array
  isFull(): boolean
  /** @param place 32 bits that choose the first slot @param fingerprint not 0 */
  flags(place: number, fingerprint: number): number
  /** Adds flags to a fingerprint that is there. @returns false if it is not */
  mark(place: number, fingerprint: number, flags: number): boolean
  /** The table must not be full. */
  add(place: number, fingerprint: number, flags: number): void
}

/** Above this, runs of slots get long and false hits frequent. */
export const maxFull = 0.85

/**
 * Open addressing with linear probing, ordered: of the slots that a search passes, each has a larger
 * fingerprint than the one that is searched. So a search without a hit ends at the first smaller one, after a
 * few slots of one cache line, also if the table is nearly full. (Amble and Knuth, Ordered hash tables,
 * 1974.) An empty slot is smaller than all.
 *
 * Slots never become smaller, so a fingerprint once found on a path is found there for ever. Of two equal
 * fingerprints that meet, also when one is pushed on, one slot remains, with the flags of both: after the
 * first, a search would never reach the second.
 */
export function createFingerprints(capacity: number): Fingerprints {
  const slots = new Uint32Array(capacity)
  const flagsOf = new Uint8Array(capacity)
  const scale = capacity / 2 ** 32
  const limit = Math.floor(capacity * maxFull)
  let size = 0

  /** The slot with the fingerprint, or the first one with a smaller one. */
  function search(place: number, fingerprint: number): number {
    let slot = (place * scale) | 0
    while ((slots[slot] as number) > fingerprint) if (++slot === capacity) slot = 0
    return slot
  }

  return {
    slots,
    bytes: slots.byteLength + flagsOf.byteLength,
    get size() {
      return size
    },
    isFull: () => size >= limit,
    flags(place, fingerprint) {
      const slot = search(place, fingerprint)
      return slots[slot] === fingerprint ? (flagsOf[slot] as number) : 0
    },
    mark(place, fingerprint, flags) {
      const slot = search(place, fingerprint)
      if (slots[slot] !== fingerprint) return false
      flagsOf[slot] = (flagsOf[slot] as number) | flags
      return true
    },
    add(place, fingerprint, flags) {
      let slot = search(place, fingerprint)
      let [moving, itsFlags] = [fingerprint, flags]
      for (;;) {
        const there = slots[slot] as number
        if (there === moving) {
          flagsOf[slot] = (flagsOf[slot] as number) | itsFlags
          return
        }
        if (there < moving) {
          const thereFlags = flagsOf[slot] as number
          slots[slot] = moving
          flagsOf[slot] = itsFlags
          if (there === 0) {
            size++
            return
          }
          moving = there
          itsFlags = thereFlags
        }
        if (++slot === capacity) slot = 0
      }
    },
  }
}
