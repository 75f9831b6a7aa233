import { firstIdAt } from '../platform/ids.ts'

/** Reads the hashes of valid credentials, of rows with this id (UUIDv7) and later ones. */
export type ReadHashes = (firstId: string) => Promise<Buffer[]>

/**
 * Filters out made-up credentials, with at most one statement a second. A hint only: the database decides
 * about the rest. A credential created within the last second may be missed.
 */
export interface KnownHashes {
  mayHold(hash: Buffer): Promise<boolean>
}

const againMs = 1000
const wholeAgainMs = 600_000
/** Maximum difference between the clocks of processes, and duration of a transaction that adds a row. */
const overlapMs = 3_600_000

/** @param keptMs older rows are no longer valid */
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

/** 64 bits of the hash, one byte in a character: enough for a hint, and 100,000 take some 6 MB. */
const shortOf = (hash: Buffer): string => hash.toString('latin1', 0, 8)
