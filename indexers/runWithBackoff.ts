import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { pause } from '../src/platform/wait.ts'
import type { IndexerContext } from './context.ts'
import { FencedError } from './cursor.ts'

const longestMs = 60_000

/**
 * Repeats `round` until the context's signal: at once after `goes on`, otherwise after a pause. A failure is logged and retried after pauses that
 * double up to a minute; it never ends the indexer.
 * @param everyMs the pause between two rounds; never more than the context's `pollMs`
 * @throws FencedError when this process no longer leads
 */
export async function runWithBackoff(
  { log, pollMs, signal }: Pick<IndexerContext, 'log' | 'pollMs' | 'signal'>,
  what: string,
  everyMs: number,
  round: () => Promise<'goes on' | 'waits'>,
): Promise<void> {
  const shortestMs = Math.min(everyMs, pollMs)
  let failures = 0
  while (!signal.aborted) {
    let wait = shortestMs
    try {
      if ((await round()) === 'goes on') wait = 0
      failures = 0
    } catch (error) {
      if (error instanceof FencedError) throw error
      if (signal.aborted) return
      wait = Math.min(longestMs, shortestMs * 2 ** failures++)
      log[error instanceof ProviderError ? 'warn' : 'error']({ err: messageOf(error), failures }, `${what}; trying again`)
    }
    if (wait > 0) await pause(wait, signal)
  }
}
