/**
 * RLP (Yellow Paper, appendix B) written from the end of a buffer to its start, so that the length of a list is known when its
 * head is written and nothing is copied.
 */
export interface RlpWriter {
  /** Where what was written last begins. */
  readonly at: number
  /** Bytes as hex with `0x`. */
  hex(text: string): void
  /** A number in hex: without leading zeros, and zero is the empty string. */
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

  function hex(text: string, from: number): void {
    const odd = (text.length - from) % 2
    const length = (text.length - from + odd) / 2
    at -= length
    if (odd) {
      buffer[at] = Number.parseInt(text.charAt(from), 16)
      buffer.write(text.slice(from + 1), at + 1, 'hex')
    } else buffer.write(text.slice(from), at, 'hex')
    stringHead(length)
  }

  return {
    get at() {
      return at
    },
    hex: (text) => hex(text, 2),
    hexNumber(text) {
      let from = 2
      while (from < text.length && text.charAt(from) === '0') from++
      hex(text, from)
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
