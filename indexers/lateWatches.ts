import { ProviderError } from '../src/chains/chain.ts'
import { messageOf } from '../src/platform/errors.ts'
import { pause } from '../src/platform/wait.ts'
import type { IndexerContext } from './context.ts'
import type { HeightRange } from './coverage.ts'
import { reread } from './reread.ts'

/** Between two looks. */
const everyMs = 1000

/**
 * Whoever monitors an address is told from which block on. A block may have been matched with a watch list that had the address not yet, and
 * be committed after that was said: such blocks are read again, beside the chain's head. Ends with the context's signal.
 */
export async function readForLateWatches(ctx: IndexerContext): Promise<void> {
  let settled = await settledBefore(ctx)
  while (!ctx.signal.aborted) {
    try {
      settled = await settle(ctx, settled)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      ctx.log.warn({ err: messageOf(error) }, 'a block that was matched before an address was there could not be read again; trying again')
    }
    await pause(Math.min(everyMs, ctx.pollMs), ctx.signal)
  }
}

/** A snapshot, as Postgres writes it: what was added in it is settled. The first one has nothing in it. */
async function settledBefore({ db, chain }: IndexerContext): Promise<string> {
  const [cursor] = await db.query<{ settled: string }>(
    "select coalesce(watches_settled::text, '1:1:') as settled from chain_cursors where chain = $1",
    [chain.name],
  )
  return cursor?.settled ?? '1:1:'
}

/** @returns the snapshot up to which all is settled now */
async function settle(ctx: IndexerContext, before: string): Promise<string> {
  const [now] = await ctx.db.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
  if (!now) throw new Error('the database has no snapshot')
  // Blocks that are matched from here on are matched with all that is in it; those that are in hand may not be, and are committed first.
  await ctx.taking.done
  const { added, blocks } = await lateBlocks(ctx, before)
  if (blocks) {
    ctx.log.info(blocks, 'blocks that were matched before an address was there; reading them again')
    let left = blocks.to - blocks.from + 1
    const count = (done: { blocks: number }) => {
      left -= done.blocks
    }
    await reread(ctx, blocks, 'again', count, ctx.signal)
    if (left > 0) return before
  }
  if (added) {
    await ctx.db.query('update chain_cursors set watches_settled = $3::pg_snapshot where chain = $1 and epoch = $2', [
      ctx.chain.name,
      ctx.epoch.toString(),
      now.snapshot,
    ])
  }
  return now.snapshot
}

/**
 * Which blocks were matched without watches that are theirs, of those that were added since.
 * A database that was restored from a dump counts transactions anew, so that old watches look new: what is older than a day is settled.
 */
async function lateBlocks({ db, chain }: IndexerContext, since: string): Promise<{ added: boolean; blocks: HeightRange | null }> {
  const [late] = await db.query<{ added: boolean; from: string | null; to: string | null }>(
    `with added as materialized (
       select added_xid, min(coalesce(from_height, 0)) as from_height from watches
       where family = $1 and chain = $2 and purpose = 'monitor' and removed_at is null
         and xid >= pg_snapshot_xmin($3::pg_snapshot) and xid < pg_snapshot_xmax(pg_current_snapshot())
         and not pg_visible_in_snapshot(added_xid, $3::pg_snapshot) and effective_from > now() - interval '1 day'
       group by added_xid)
     select count(a) > 0 as added, min(b.height) as from, max(b.height) as to from added a
     left join blocks b on b.chain = $2 and b.canonical and b.height >= a.from_height and not pg_visible_in_snapshot(a.added_xid, b.matched_with)`,
    [chain.family, chain.name, since],
  )
  const { from = null, to = null } = late ?? {}
  return { added: late?.added ?? false, blocks: from === null || to === null ? null : { from: Number(from), to: Number(to) } }
}
