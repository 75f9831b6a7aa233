import { giveBack } from '../../platform/http/giveBack.ts'

/**
 * What is shorter may be a buffer of the parser's own, which it fills again: it keeps up to the length of a
 * delimiter (some 80 bytes) between two pieces, and hands that on as a piece.
 */
const minBytes = 4096

/** Pieces that the caller copies: their memory is given back as soon as the next one is requested. */
export async function* givenBack(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece
    if (piece.length >= minBytes) giveBack(piece)
  }
}
