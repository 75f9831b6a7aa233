import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long a piece of long work may keep the loop. */
const pieceMs = 5

/**
 * Lets other requests run between the pieces of long work: to be called after each small step. It gives the loop away when the step was the
 * last of a piece.
 */
export function createYield(now: () => number = () => performance.now()): () => Promise<void> | undefined {
  let since = now()
  return () => {
    if (now() - since < pieceMs) return undefined
    return nextTurn().then(() => {
      since = now()
    })
  }
}
