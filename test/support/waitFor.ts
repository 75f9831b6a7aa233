import { channel } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'

const waited = channel('cowry.wait')

/**
 * Asks until the answer is neither null, undefined nor false.
 * @throws after `withinMs`, with `what` and the last error
 */
export async function waitFor<T>(what: string, ask: () => Promise<T | null | undefined | false>, withinMs = 60_000): Promise<T> {
  let last: unknown
  const started = performance.now()
  const record = () => waited.publish({ name: what, ms: performance.now() - started })
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(25)) {
    try {
      const answer = await ask()
      if (answer !== null && answer !== undefined && answer !== false) {
        record()
        return answer
      }
    } catch (error) {
      last = error
    }
  }
  record()
  throw new Error(`${what}: not within ${withinMs / 1000} s${last ? ` (${last})` : ''}`)
}
