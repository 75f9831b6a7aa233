/**
 * A session's texts of which a part is found, a line each, so that no part spans two: as the index
 * `pos_sessions_search` has them (0206-session-search.ts). Postgres uses the index only for this expression.
 */
export const searchedText = `lower(id::text || chr(10) || address || chr(10) || coalesce(shown_address, '') || chr(10) || coalesce(reference, '') || chr(10) || coalesce(label, ''))`

/** Shorter parts have no trigram, by which the index finds them. */
const shortestPart = 3
/** Of a longer part, so much is looked up in the index. */
const longestPart = 6

/**
 * The pieces of a part that the index can look up, of which one is enough; empty if the part is too short.
 * Trigrams are of letters and digits alone.
 */
export const piecesOf = (part: string): string[] => [
  ...new Set(
    (part.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((run) => {
      const letters = [...run]
      if (letters.length < shortestPart) return []
      const length = Math.min(longestPart, letters.length)
      return Array.from({ length: letters.length - length + 1 }, (_, at) =>
        letters.slice(at, at + length).join(''),
      )
    }),
  ),
]

/**
 * The piece that the fewest of these texts have, the last of several: what all references of a business have
 * in common would have the index read the entries of all its rows.
 */
export function rarestPiece(pieces: readonly string[], texts: readonly string[]): string | undefined {
  let rarest: { piece: string; count: number } | undefined
  for (const piece of pieces) {
    const count = texts.filter((text) => text.includes(piece)).length
    if (!rarest || count <= rarest.count) rarest = { piece, count }
  }
  return rarest?.piece
}
