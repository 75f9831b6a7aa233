import { firstIdAt } from '../platform/ids.ts'

/** Reads the hashes of the credentials that hold, of rows with this id (UUIDv7) and later ones. */
export type ReadHashes = (firstId: string) => Promise<Buffer[]>

/**
 * Tells invented credentials from those that may hold, at no more than one statement a second however many are asked about. A hint: what may
 * hold is asked of the database, which decides. One that was made within the last second may be missed.
 */
export interface KnownHashes {
  mayHold(hash: Buffer): Promise<boolean>
}

const againMs = 1000
const wholeAgainMs = 600_000
/** How far the clocks of processes may be apart, and how long a transaction may take that adds a row. */
const overlapMs = 3_600_000

/** @param keptMs rows that are older hold no more */
export function knownHashes(read: ReadHashes, keptMs = Number.POSITIVE_INFINITY): KnownHashes {
  let known = new Set<string>()
  let wholeAt = Number.NEGATIVE_INFINITY
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function readNew(): Promise<void> {
    const started = performance.now()
    const whole = started - wholeAt > wholeAgainMs
    const hashes = await read(firstIdAt(Date.now() - (whole ? keptMs : overlapMs)))
    if (whole) {
      known = new Set()
      wholeAt = started
    }
    for (const hash of hashes) known.add(shortOf(hash))
    readAt = started
  }

  return {
    async mayHold(hash) {
      if (!known.has(shortOf(hash)) && performance.now() - readAt > againMs) {
        reading ??= readNew().finally(() => {
          reading = null
        })
        await reading
      }
      return known.has(shortOf(hash))
    },
  }
}

/** 64 of its bits, one in a character: a hint needs no more, and a hundred thousand take some 6 MB. */
const shortOf = (hash: Buffer): string => hash.toString('latin1', 0, 8)
