import type { IndexerContext } from './context.ts'
import type { HeightRange } from './coverage.ts'
import { reread } from './reread.ts'
import { runWithBackoff } from './runWithBackoff.ts'

/** Pause between two checks. */
const everyMs = 1000

/**
 * Adding a monitored address answers with the block from which it counts. A block may have been matched
 * before the watch list had the address, and committed after that answer: such blocks are read again. Runs
 * concurrently with the loop that reads the head, until the context's signal.
 */
export async function readForLateWatches(ctx: IndexerContext): Promise<void> {
  let settled: Settled | null = null
  await runWithBackoff(
    ctx,
    'blocks that were matched before an address was watched could not be read again',
    everyMs,
    async () => {
      settled = await settle(ctx, settled ?? (await settledBefore(ctx)))
      return 'waits'
    },
  )
}

/** Watches in this snapshot, in Postgres's format, are settled. */
interface Settled {
  snapshot: string
  /** When it was taken, in Postgres's format. */
  at: string
}

/**
 * Starts with an empty snapshot. So does a restored database: its transaction ids restart, so that an old
 * snapshot proves nothing.
 */
async function settledBefore({ db, chain }: IndexerContext): Promise<Settled> {
  const [cursor] = await db.query<Settled>(
    `select coalesce(watches_settled_at::text, '-infinity') as at, case when pg_snapshot_xmax(watches_settled) <= pg_snapshot_xmax(pg_current_snapshot())
       then watches_settled::text else '1:1:' end as snapshot from chain_cursors where chain = $1`,
    [chain.name],
  )
  return cursor ?? { snapshot: '1:1:', at: '-infinity' }
}

/** @returns the snapshot up to which all watches are settled */
async function settle(ctx: IndexerContext, before: Settled): Promise<Settled> {
  const [now] = await ctx.db.query<Settled & { any: boolean }>(
    `select pg_current_snapshot()::text as snapshot, now()::text as at, exists (select 1 from watches where ${isLater}) as any`,
    [ctx.chain.family, before.snapshot],
  )
  if (!now) throw new Error('the database has no snapshot')
  // The usual case. Watches added from here on are later than this snapshot.
  if (!now.any) return now
  // Blocks matched from here on are matched with the whole snapshot. Commit those that may not be first.
  await ctx.inFlight.done
  const { added, blocks } = await lateBlocks(ctx, before)
  if (blocks) {
    ctx.log.info(blocks, 'blocks were matched before an address was watched; reading them again')
    let left = blocks.to - blocks.from + 1
    const count = (done: { blocks: number }) => {
      left -= done.blocks
    }
    await reread(ctx, blocks, 'again', count, ctx.signal)
    if (left > 0) return before
  }
  if (added) {
    await ctx.db.query(
      'update chain_cursors set watches_settled = $3::pg_snapshot, watches_settled_at = $4 where chain = $1 and epoch = $2',
      [ctx.chain.name, ctx.epoch.toString(), now.snapshot, now.at],
    )
  }
  return now
}

/** Of the family $1: watches written since the snapshot $2, and some earlier ones. */
const isLater =
  'family = $1 and xid >= pg_snapshot_xmin($2::pg_snapshot) and xid < pg_snapshot_xmax(pg_current_snapshot())'

/**
 * The blocks that were matched without one of the watches added since. A watch is missing from a block's
 * snapshot if its transaction is at or after the snapshot's end (checking the newest one suffices), or was
 * open in it. Each block is visited once, for any number of watches. In a database restored from a dump,
 * transaction ids restart and old watches seem new. No transaction takes a day: watches added a day before
 * the last snapshot are settled.
 */
async function lateBlocks(
  { db, chain }: IndexerContext,
  since: Settled,
): Promise<{ added: boolean; blocks: HeightRange | null }> {
  const [late] = await db.query<{ added: boolean; from: string | null; to: string | null }>(
    `with added as materialized (
       select added_xid, min(coalesce(from_before, from_height, 0)) as from_height from watches
       where ${isLater} and chain = $3 and removed_at is null
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
  return {
    added: late?.added ?? false,
    blocks: from === null || to === null ? null : { from: Number(from), to: Number(to) },
  }
}
