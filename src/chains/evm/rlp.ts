/**
 * RLP (Yellow Paper, appendix B) written from the end of a buffer to its start, so that the length of a list is known when its
 * head is written and nothing is copied.
 */
export interface RlpWriter {
  /** Where what was written last begins. */
  readonly at: number
  /** Bytes as hex with `0x`. @throws where the text is not whole bytes in hex: it would be read otherwise than it is written here */
  hex(text: string): void
  /** A number in hex: without leading zeros, and zero is the empty string. @throws where it is not one */
  hexNumber(text: string): void
  bytes(bytes: Uint8Array): void
  /** Bytes that are RLP already, or stand outside of it. */
  raw(bytes: Uint8Array): void
  /** Makes what was written since `end` a list. */
  listSince(end: number): void
  /** Makes what was written since `end` a string of bytes. */
  stringSince(end: number): void
  /** What was written since `end`, valid until the next reset. */
  since(end: number): Uint8Array
  /** Begins anew, with room for so many bytes. */
  reset(room: number): void
}

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

  /** The head of `length` bytes that were just written. */
  function stringHead(length: number): void {
    if (length === 1 && (buffer[at] as number) < 0x80) return
    head(length, 0x80)
  }

  /** @param digits an even number of them */
  function hex(digits: string): void {
    const length = digits.length / 2
    at -= length
    // Stops at what is not hex, and leaves the bytes of what was written before.
    if (buffer.write(digits, at, 'hex') !== length) throw new Error('not hex')
    stringHead(length)
  }

  return {
    get at() {
      return at
    },
    hex(text) {
      if (!text.startsWith('0x') || text.length % 2 !== 0) throw new Error('not whole bytes in hex')
      hex(text.slice(2))
    },
    hexNumber(text) {
      if (!text.startsWith('0x')) throw new Error('not a number in hex')
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
