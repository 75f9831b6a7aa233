import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes for 256 ids: a request for them takes longer than all other work of an id. */
const pool = new Uint8Array(256 * 16)
let used = pool.length
function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
}

/**
 * The newest id's time and 32-bit sequence (RFC 9562, section 6.2: a counter that starts at random each
 * millisecond, with its highest bit clear).
 */
const newest = { msecs: 0, seq: 0 }

/**
 * A UUIDv7: sorts by time, and in this process after all earlier ones, so that inserts go to the end of a
 * primary key's index.
 */
export function newId(): string {
  const random = randomBytes()
  const now = Date.now()
  if (now > newest.msecs) {
    newest.msecs = now
    newest.seq = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else if (++newest.seq > 0xffffffff) {
    newest.msecs++
    newest.seq = 0
  }
  return v7({ ...newest, random })
}

/** Ids for many rows, in ascending order. */
export const newIds = (count: number): string[] => Array.from({ length: count }, newId)

/** The smallest UUIDv7 of a time, for range queries on the primary key. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** SQL: the same, of a `timestamptz`. */
export const firstIdSql = (time: string): string =>
  `rpad(lpad(to_hex(greatest((extract(epoch from ${time}) * 1000)::bigint, 0)), 12, '0'), 32, '0')::uuid`

/** The time in a UUIDv7, in milliseconds. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => uuidForm.test(text)
/** An id as the database returns it: in lower case. Null for text that is not a UUID. */
export const asUuid = (text: string): string | null => (isUuid(text) ? text.toLowerCase() : null)

/** SQL: the smallest id of a row that was made in the last 24 hours (RFC 9562, version 7). */
export const dayAgo = firstIdSql("now() - interval '24 hours'")
