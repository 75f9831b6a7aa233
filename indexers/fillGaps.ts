import { repeat } from '../src/platform/repeat.ts'
import type { IndexerContext } from './context.ts'
import { gapsOf, type HeightRange, untracedOf } from './coverage.ts'
import { logUnreadable } from './logUnreadable.ts'
import { reread } from './reread.ts'

/** Pause between two checks of the record. */
const everyMs = 30_000

/**
 * Reads heights that were never read, and internal transfers of blocks that were read while no node could
 * trace. Runs concurrently with the loop that reads the head, until the context's signal.
 */
export async function fillGaps(ctx: IndexerContext, startAt: number | undefined): Promise<void> {
  const failed = logUnreadable(ctx.log, 'a gap could not be read; trying again')
  await repeat(ctx.signal, { everyMs: Math.min(everyMs, ctx.pollMs * 15), failed }, async () => {
    for (const gap of await gapsOf(ctx.db, ctx.chain.name, startAt)) await fill(ctx, gap, 'gap')
    if (ctx.reader.internalMethod === 'traces')
      for (const gap of await untracedOf(ctx.db, ctx.chain.name)) await fill(ctx, gap, 'internal')
  })
}

async function fill(ctx: IndexerContext, gap: HeightRange, what: 'gap' | 'internal'): Promise<void> {
  if (what === 'gap') ctx.log.warn(gap, 'blocks that were never read; reading them now')
  await reread(
    ctx,
    gap,
    what,
    ({ to, blocks, found }) => {
      ctx.metrics.filled.inc(blocks)
      if (found > 0 || gap.to - gap.from > 1000)
        ctx.log.info({ upTo: to, of: gap.to, found, what }, 'filling a gap')
    },
    ctx.signal,
  )
}
