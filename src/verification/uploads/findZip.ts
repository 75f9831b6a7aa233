const entry = Buffer.from('PK\x01\x02', 'latin1')
const end = Buffer.from('PK\x05\x06', 'latin1')
/** The record at the end of a ZIP has 22 bytes and a comment of up to 65,535 (APPNOTE.TXT, 4.3.16): programs look for it there. */
const maxEnd = 22 + 65_535

/** Finds out whether a file, as it arrives, opens as a ZIP too: it has an entry of its directory, and the end of one close to its own end. */
export function findZip(): { push(piece: Buffer): void; isZip(): boolean } {
  let before = Buffer.alloc(0)
  let length = 0
  let hasEntry = false
  let endAt = Number.NEGATIVE_INFINITY
  return {
    push(piece) {
      const bytes = Buffer.concat([before, piece])
      const found = bytes.lastIndexOf(end)
      if (found !== -1) endAt = length - before.length + found
      hasEntry ||= bytes.includes(entry)
      length += piece.length
      before = Buffer.from(bytes.subarray(-3))
    },
    isZip: () => hasEntry && length - endAt <= maxEnd,
  }
}
