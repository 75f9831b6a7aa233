import { setTimeout as delay } from 'node:timers/promises'

/**
 * Asks until the answer is neither null, undefined nor false.
 * @throws after `withinMs`, with `what` and the last error
 */
export async function waitFor<T>(what: string, ask: () => Promise<T | null | undefined | false>, withinMs = 60_000): Promise<T> {
  let last: unknown
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(25)) {
    try {
      const answer = await ask()
      if (answer !== null && answer !== undefined && answer !== false) return answer
    } catch (error) {
      last = error
    }
  }
  throw new Error(`${what}: not within ${withinMs / 1000} s${last ? ` (${last})` : ''}`)
}
