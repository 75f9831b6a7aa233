import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { repeat } from '../src/platform/repeat.ts'
import type { IndexerContext } from './context.ts'
import { FencedError } from './cursor.ts'

const longestMs = 60_000

/**
 * Repeats `round` until the context's signal: at once after `goes on`, otherwise after a pause. A failure is
 * logged and retried after pauses that double up to a minute; it never ends the indexer.
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
  const failed = (error: unknown): number => {
    if (error instanceof FencedError) throw error
    if (signal.aborted) return 0
    const waitMs = Math.min(longestMs, shortestMs * 2 ** failures++)
    log[error instanceof ProviderError ? 'warn' : 'error'](
      { err: messageOf(error), failures },
      `${what}; trying again`,
    )
    return waitMs
  }
  await repeat(signal, { everyMs: shortestMs, failed }, async () => {
    const next = await round()
    failures = 0
    return next === 'goes on' ? 0 : shortestMs
  })
}
