import type { IndexerContext } from './context.ts'
import type { HeightRange } from './coverage.ts'
import { runWithBackoff } from './keepTrying.ts'
import { reread } from './reread.ts'

/** Between two looks. */
const everyMs = 1000

/**
 * Whoever monitors an address is told from which block on. A block may have been matched with a watch list that had the address not yet, and
 * be committed after that was said: such blocks are read again, beside the chain's head. Ends with the context's signal.
 */
export async function readForLateWatches(ctx: IndexerContext): Promise<void> {
  let settled: Settled | null = null
  await runWithBackoff(ctx, 'blocks that were matched before an address was there could not be read again', everyMs, async () => {
    settled = await settle(ctx, settled ?? (await settledBefore(ctx)))
    return 'waits'
  })
}

/** What was added in the snapshot, written as Postgres does, is settled. */
interface Settled {
  snapshot: string
  /** When it was taken, as Postgres writes it. */
  at: string
}

/** The first snapshot has nothing in it; nor has one that another database took, of which this one was restored: transactions count anew here. */
async function settledBefore({ db, chain }: IndexerContext): Promise<Settled> {
  const [cursor] = await db.query<Settled>(
    `select coalesce(watches_settled_at::text, '-infinity') as at, case when pg_snapshot_xmax(watches_settled) <= pg_snapshot_xmax(pg_current_snapshot())
       then watches_settled::text else '1:1:' end as snapshot from chain_cursors where chain = $1`,
    [chain.name],
  )
  return cursor ?? { snapshot: '1:1:', at: '-infinity' }
}

/** @returns up to where all is settled now */
async function settle(ctx: IndexerContext, before: Settled): Promise<Settled> {
  const [now] = await ctx.db.query<Settled & { any: boolean }>(
    `select pg_current_snapshot()::text as snapshot, now()::text as at, exists (select 1 from watches where ${isLater}) as any`,
    [ctx.chain.family, before.snapshot],
  )
  if (!now) throw new Error('the database has no snapshot')
  // Mostly there are none. What is added from here on is later than this snapshot, too.
  if (!now.any) return now
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
    await ctx.db.query('update chain_cursors set watches_settled = $3::pg_snapshot, watches_settled_at = $4 where chain = $1 and epoch = $2', [
      ctx.chain.name,
      ctx.epoch.toString(),
      now.snapshot,
      now.at,
    ])
  }
  return now
}

/** Of the family $1: watches that were written since the snapshot $2, among others. */
const isLater = 'family = $1 and xid >= pg_snapshot_xmin($2::pg_snapshot) and xid < pg_snapshot_xmax(pg_current_snapshot())'

/**
 * Which blocks were matched without watches that are theirs, of those that were added since: not in the block's snapshot are, of the
 * transactions that added watches of its height, those behind the snapshot's end, which the newest tells, and those that were open in it. Each
 * block is looked at once, however many were added.
 * A database that was restored from a dump counts transactions anew, so that old watches look new: no transaction takes a day, and what was
 * added a day before the last snapshot is settled.
 */
async function lateBlocks({ db, chain }: IndexerContext, since: Settled): Promise<{ added: boolean; blocks: HeightRange | null }> {
  const [late] = await db.query<{ added: boolean; from: string | null; to: string | null }>(
    `with added as materialized (
       select added_xid, min(coalesce(from_before, from_height, 0)) as from_height from watches
       where ${isLater} and chain = $3 and purpose = 'monitor' and removed_at is null
         and not pg_visible_in_snapshot(added_xid, $2::pg_snapshot) and effective_from > $4::timestamptz - interval '1 day'
       group by added_xid),
     matched as materialized (
       select height, matched_with from blocks
       where chain = $3 and canonical and matched_with is not null and height >= (select min(from_height) from added)),
     newest as (
       select height, matched_with, max(added_xid) over (order by height, matched_with is not null) as added_xid from (
         select height, matched_with, null::xid8 as added_xid from matched union all select from_height, null, added_xid from added) each),
     late as (
       select height from newest where added_xid >= pg_snapshot_xmax(matched_with)
       union all
       select m.height from matched m cross join pg_snapshot_xip(m.matched_with) open
       join added a on a.added_xid = open and a.from_height <= m.height)
     select exists (select 1 from added) as added, min(height) as from, max(height) as to from late`,
    [chain.family, since.snapshot, chain.name, since.at],
  )
  const { from = null, to = null } = late ?? {}
  return { added: late?.added ?? false, blocks: from === null || to === null ? null : { from: Number(from), to: Number(to) } }
}
