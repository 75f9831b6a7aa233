const entry = Buffer.from('PK\x01\x02', 'latin1')
const end = Buffer.from('PK\x05\x06', 'latin1')
/**
 * The record at the end of a ZIP has 22 bytes and a comment of up to 65,535 (APPNOTE.TXT, 4.3.16): programs
 * search for it there.
 */
const maxEnd = 22 + 65_535

/** A find may start in so many bytes of the piece before. */
const overlap = entry.length - 1

/**
 * Finds out whether a file, as it arrives, opens as a ZIP too: it has an entry of its directory, and the end
 * of one close to its own end.
 */
export function findZip(): { push(piece: Buffer): void; isZip(): boolean } {
  let before = Buffer.alloc(0)
  let length = 0
  let hasEntry = false
  let endAt = Number.NEGATIVE_INFINITY
  /** @param at of its first byte in the file */
  const search = (bytes: Buffer, at: number) => {
    const found = bytes.lastIndexOf(end)
    if (found !== -1) endAt = at + found
    hasEntry ||= bytes.includes(entry)
  }
  return {
    push(piece) {
      // Pieces are searched where they are: a copy of each with the bytes before it costs more than both
      // searches.
      search(Buffer.concat([before, piece.subarray(0, overlap)]), length - before.length)
      search(piece, length)
      length += piece.length
      const last = piece.subarray(-overlap)
      before = Buffer.from(last.length < overlap ? Buffer.concat([before, last]).subarray(-overlap) : last)
    },
    isZip: () => hasEntry && length - endAt <= maxEnd,
  }
}
