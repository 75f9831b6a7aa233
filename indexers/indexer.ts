import { type Block, type BlockReader, ProviderError, type Transfer } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import type { Log } from '../src/platform/log.ts'
import type { Bell } from '../src/platform/wait.ts'
import { type CommitContext, commitBlock } from './commitBlock.ts'
import type { Cursor } from './cursor.ts'
import type { IndexerMetrics } from './indexerMetrics.ts'
import { matchBlock } from './matchBlock.ts'
import { findAncestor, rewind } from './rewind.ts'
import type { WatchList } from './watchList.ts'

export interface IndexerContext extends CommitContext {
  reader: BlockReader
  watches: WatchList
  metrics: IndexerMetrics
  log: Log
  /** Rung when the chain says that there is a new block. */
  bell: Bell
  pollMs: number
  signal: AbortSignal
}

/** Blocks that are fetched ahead of the commit while the indexer is behind. */
const ahead = 8
/** Headers below the cursor that are kept; a fork is walked back in them. */
const keptHeaders = 10_000

/**
 * Follows one chain until `signal` is aborted: fetch, read the tail of the watch list, match, commit, in the
 * order of heights. Failures of providers are waited out; anything else is thrown.
 * @param cursor where the last run stopped; null to begin at `startAt`, or at the head
 */
export async function followChain(ctx: IndexerContext, cursor: Cursor | null, startAt: number | undefined): Promise<void> {
  let at = cursor
  const fetched = new Map<number, Promise<Block | null>>()
  const fetch = (height: number) => {
    let block = fetched.get(height)
    if (!block) {
      block = ctx.reader.block(height)
      // Awaited when its turn comes; until then a failure must not be an unhandled one.
      block.catch(() => {})
      fetched.set(height, block)
    }
    return block
  }

  while (!ctx.signal.aborted) {
    try {
      const head = await ctx.reader.head()
      ctx.metrics.head.set(head.height)
      at ??= { height: (startAt ?? head.height) - 1, id: null }
      if (head.height === at.height && at.id !== null && head.id !== at.id) {
        at = await goBack(ctx, at)
        fetched.clear()
      }
      while (at.height < head.height && !ctx.signal.aborted) {
        for (let next = at.height + 1; next <= Math.min(at.height + ahead, head.height); next++) void fetch(next)
        const height: number = at.height + 1
        const block: Block | null = await fetch(height).finally(() => fetched.delete(height))
        if (!block) break
        if (at.id !== null && block.parentId !== at.id) {
          at = await goBack(ctx, at)
          fetched.clear()
          continue
        }
        await take(ctx, block, head.height)
        at = { height: block.height, id: block.id }
      }
      ctx.metrics.lag.set(Math.max(0, head.height - at.height))
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      fetched.clear()
      ctx.metrics.failures.inc()
      ctx.log.warn({ err: messageOf(error) }, 'the chain could not be read; trying again')
    }
    await ctx.bell.wait(ctx.pollMs, ctx.signal)
  }
}

async function take(ctx: IndexerContext, block: Block, head: number): Promise<void> {
  await ctx.watches.readTail()
  const matched: Transfer[] = matchBlock(block, ctx.watches, ctx.codec)
  const { detected } = await commitBlock(ctx, block, matched)
  ctx.metrics.block(block, head, detected)
  if (detected > 0) ctx.log.info({ height: block.height, detected }, 'transfers detected')
  if (block.height % 1000 === 0) {
    await ctx.db.query('delete from blocks where chain = $1 and height < $2', [ctx.chain.name, block.height - keptHeaders])
  }
}

async function goBack(ctx: IndexerContext, at: Cursor): Promise<Cursor> {
  const ancestor = await findAncestor(ctx, at)
  // Whoever is asked first still has our block, somebody else has another: time will tell which it is.
  if (ancestor.height === at.height) throw new ProviderError(`the providers are on different forks at ${at.height}`)
  const reverted = await rewind(ctx, ancestor)
  ctx.metrics.reorg(at.height - ancestor.height, reverted)
  ctx.log.warn({ from: at.height, to: ancestor.height, reverted }, 'reorg: went back to the common ancestor')
  return ancestor
}
