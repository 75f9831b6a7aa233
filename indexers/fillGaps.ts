import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { pause } from '../src/platform/wait.ts'
import type { IndexerContext } from './context.ts'
import { gapsOf, type HeightRange, untracedOf } from './coverage.ts'
import { reread } from './reread.ts'

/** Pause between two checks of the record. */
const everyMs = 30_000

/**
 * Reads heights that were never read, and internal transfers of blocks that were read while no node could trace. Runs concurrently with the loop that
 * reads the head, until the context's signal.
 */
export async function fillGaps(ctx: IndexerContext, startAt: number | undefined): Promise<void> {
  while (!ctx.signal.aborted) {
    try {
      for (const gap of await gapsOf(ctx.db, ctx.chain.name, startAt)) await fill(ctx, gap, 'gap')
      if (ctx.reader.internalMethod === 'traces') for (const gap of await untracedOf(ctx.db, ctx.chain.name)) await fill(ctx, gap, 'internal')
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn({ err: messageOf(error) }, 'a gap could not be read; trying again')
    }
    await pause(Math.min(everyMs, ctx.pollMs * 15), ctx.signal)
  }
}

async function fill(ctx: IndexerContext, gap: HeightRange, what: 'gap' | 'internal'): Promise<void> {
  if (what === 'gap') ctx.log.warn(gap, 'blocks that were never read; reading them now')
  await reread(
    ctx,
    gap,
    what,
    ({ to, blocks, found }) => {
      ctx.metrics.filled.inc(blocks)
      if (found > 0 || gap.to - gap.from > 1000) ctx.log.info({ upTo: to, of: gap.to, found, what }, 'filling a gap')
    },
    ctx.signal,
  )
}
