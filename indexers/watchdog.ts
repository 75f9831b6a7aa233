import { staleAfterMs } from '../src/chains/registry.ts'
import { repeat } from '../src/platform/repeat.ts'
import type { Log } from '../src/platform/telemetry/log.ts'
import type { IndexerContext } from './context.ts'
import type { Tip } from './tip.ts'

/**
 * Logs an error when the chain gives no new block for longer than expected, verifies the providers, and logs
 * when the chain moves again. Ends with
 * `signal`.
 */
export async function watchTip(
  ctx: {
    chain: IndexerContext['chain']
    reader: Pick<IndexerContext['reader'], 'verify'>
    log: Log
    signal: AbortSignal
  },
  tip: Pick<Tip, 'ageMs' | 'isStale'>,
): Promise<void> {
  const afterMs = staleAfterMs(ctx.chain)
  let wasStale = false
  await repeat(ctx.signal, { everyMs: Math.min(1000, afterMs / 10) }, async () => {
    if (tip.isStale() === wasStale) return
    wasStale = !wasStale
    if (wasStale) {
      ctx.log.error(
        { seconds: Math.round(tip.ageMs() / 1000), limit: afterMs / 1000 },
        'the chain is stale: no new block',
      )
      await ctx.reader
        .verify()
        .catch((error: Error) => ctx.log.error({ err: error.message }, 'no provider can be relied on'))
    } else ctx.log.info('the chain moves again')
  })
}
