import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** A UUIDv7: sorts by time, so that inserts go to the end of a primary key's index. */
export const newId = (): string => v7()

/** Ids for many rows, in ascending order. Their random bytes are requested at once, which takes most of the time of one id. */
export function newIds(count: number): string[] {
  const random = randomFillSync(new Uint8Array(16 * count + 4))
  const msecs = Date.now()
  // The sequence has 32 bits: from its lower half it cannot overflow.
  const first = new DataView(random.buffer).getUint32(16 * count) >>> 1
  return Array.from({ length: count }, (_, n) => v7({ msecs, seq: first + n, random: random.subarray(16 * n, 16 * (n + 1)) }))
}

/** The smallest UUIDv7 of a time, for range queries on the primary key. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => uuidForm.test(text)
