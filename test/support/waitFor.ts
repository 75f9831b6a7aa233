import { channel } from 'node:diagnostics_channel'
import { setTimeout as delay } from 'node:timers/promises'

const waited = channel('cowry.wait')

/**
 * Polls until the answer is neither null, undefined nor false; after 25 ms first, and at most 250 ms later.
 * @throws after `withinMs`, with `what` and the last error
 */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  withinMs = 60_000,
): Promise<T> {
  let last: unknown
  const started = performance.now()
  const record = () => waited.publish({ name: what, ms: performance.now() - started })
  let pauseMs = 25
  for (
    const deadline = Date.now() + withinMs;
    Date.now() < deadline;
    await delay(pauseMs), pauseMs = Math.min(pauseMs * 1.2, 250)
  ) {
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
