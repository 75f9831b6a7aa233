import { setImmediate as nextTurn } from 'node:timers/promises'

/** Maximum time that a piece of work occupies the event loop. */
const pieceMs = 5

/**
 * Lets other requests run between pieces of long work: call it after each small step. It yields to the event
 * loop when a piece's time is used up.
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
