/**
 * Writes RLP (Yellow Paper, appendix B) from the end of a buffer to its start: the length of a list is known
 * when its head is written, and nothing is copied. In place of viem's: the receipts of a block of 300 take a
 * quarter of the time (0.7 ms against 2.7 ms, Node 24).
 */
export interface RlpWriter {
  /** Where the last write starts. */
  readonly at: number
  /**
   * Bytes in hex with `0x`. @throws where the text is not whole bytes in hex: readers could read it
   * differently than it is hashed
   */
  hex(text: string): void
  /**
   * A number in hex: leading zeros are dropped, and zero is the empty string. @throws where the text is not
   * hex
   */
  hexNumber(text: string): void
  bytes(bytes: Uint8Array): void
  /** Bytes that are already RLP, or are outside of it. */
  raw(bytes: Uint8Array): void
  /** Wraps everything written since `end` in a list. */
  listSince(end: number): void
  /** Wraps everything written since `end` in a byte string. */
  stringSince(end: number): void
  /** Everything written since `end`; valid until the next reset. */
  since(end: number): Uint8Array
  /** Starts again with room for this many bytes. */
  reset(room: number): void
}

/**
 * The characters or items of a node's answer; 0 for anything without them, such as an object with a member
 * `length`.
 */
export const lengthOf = (answered: unknown): number =>
  typeof answered === 'string' || Array.isArray(answered) ? answered.length : 0

export function createRlpWriter(): RlpWriter {
  let buffer = Buffer.allocUnsafe(1 << 16)
  let at = buffer.length

  function head(length: number, offset: number): void {
    if (length < 56) {
      buffer[--at] = offset + length
      return
    }
    let size = 0
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) {
      buffer[--at] = rest % 256
      size++
    }
    buffer[--at] = offset + 55 + size
  }

  /** Writes the head of the last `length` bytes. */
  function stringHead(length: number): void {
    if (length === 1 && (buffer[at] as number) < 0x80) return
    head(length, 0x80)
  }

  /** @param digits an even number of hex digits */
  function hex(digits: string): void {
    const length = digits.length / 2
    at -= length
    // `write` stops at the first non-hex character and leaves older bytes behind.
    if (buffer.write(digits, at, 'hex') !== length) throw new Error('the text is not hex')
    stringHead(length)
  }

  return {
    get at() {
      return at
    },
    hex(text) {
      if (!text.startsWith('0x') || text.length % 2 !== 0)
        throw new Error('the text is not whole bytes in hex')
      hex(text.slice(2))
    },
    hexNumber(text) {
      if (!text.startsWith('0x')) throw new Error('the text is not a number in hex')
      let from = 2
      while (from < text.length && text.charAt(from) === '0') from++
      hex((text.length - from) % 2 === 0 ? text.slice(from) : `0${text.slice(from)}`)
    },
    bytes(bytes) {
      at -= bytes.length
      buffer.set(bytes, at)
      stringHead(bytes.length)
    },
    raw(bytes) {
      at -= bytes.length
      buffer.set(bytes, at)
    },
    listSince: (end) => head(end - at, 0xc0),
    stringSince: (end) => stringHead(end - at),
    since: (end) => buffer.subarray(at, end),
    reset(room) {
      if (room > buffer.length) buffer = Buffer.allocUnsafe(room * 2)
      at = buffer.length
    },
  }
}
