import type { Tx } from '../src/platform/database/db.ts'
import { prepared } from '../src/platform/database/prepared.ts'
import { failpoint } from '../src/platform/failpoints.ts'
import { confirmDue, type Progress, progressOf, type ReportedHeights } from './confirm.ts'
import type { LeaderContext } from './context.ts'
import { FencedError, idleGuard } from './cursor.ts'
import { detect } from './detect.ts'
import type { ReadBlock } from './findPayments.ts'
import { publish } from './publish.ts'

export interface Committed {
  detected: number
  confirmed: number
}

/**
 * Writes consecutive blocks in one transaction: headers, transfers, detections, jobs, cursor and coverage.
 * After a crash, either all of it or nothing is stored. Every payment that waits for a block waits for this:
 * the statements of a commit go to Postgres in four messages.
 * @param blocks by height, each the parent of the next; the first follows the cursor
 * @param matchedWith the snapshot of the watch list that the blocks were matched with
 * @throws FencedError when this process no longer leads
 */
export async function commitBlocks(
  ctx: LeaderContext,
  blocks: readonly ReadBlock[],
  reported: ReportedHeights,
  matchedWith: string | null = null,
): Promise<Committed> {
  const committed = await ctx.db.tx(async (tx) => {
    const moved = moveCursor(ctx, tx, blocks, reported, matchedWith)
    const [progress, seen] = await Promise.all([moved, detect(ctx, tx, blocks, moved, 'new')])
    await publish(tx, seen.detections, 'seen')
    const confirmed = await confirmDue(ctx, tx, progress)
    return { detected: seen.detections.length, confirmed: seen.confirmed + confirmed }
  })
  failpoint('indexer.block-committed')
  return committed
}

const advanceCursor = prepared(
  `with headers as (
     insert into blocks (chain, height, id, parent_id, time, matched_with)
     select $1, t.height, t.id, t.parent_id, t.time, $11::pg_snapshot from unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[]) as t(height, id, parent_id, time)
     on conflict (chain, height, id) do update set canonical = true, time = excluded.time, matched_with = excluded.matched_with)
   update chain_cursors set height = $7, updated_at = now(),
     covered = covered + int8multirange(int8range($6, $7, '[]')),
     traced = traced - int8multirange(int8range($6, $7, '[]')) + $8::int8multirange,
     finalized_height = greatest(finalized_height, $9::bigint)
   where chain = $1 and epoch = $10 and (height is null or height = $6::bigint - 1)
   returning finalized_height as "finalizedHeight", ${idleGuard}`,
)

/** Headers, cursor and coverage in one statement; its condition is the fence. */
async function moveCursor(
  ctx: LeaderContext,
  tx: Tx,
  blocks: readonly ReadBlock[],
  reported: ReportedHeights,
  matchedWith: string | null,
): Promise<Progress> {
  const headers = blocks.map(({ block }) => block)
  const first = headers[0]?.height ?? 0
  const height = first + headers.length - 1
  const [row] = await tx.query<{ finalizedHeight: string | null }>(advanceCursor, [
    ctx.chain.name,
    headers.map((header) => header.height),
    headers.map((header) => header.id),
    headers.map((header) => header.parentId),
    headers.map((header) => header.time.toISOString()),
    first,
    height,
    multirange(headers.filter((header) => header.traced).map((header) => header.height)),
    reported.finalized === null ? null : Math.min(reported.finalized, height),
    ctx.epoch.toString(),
    matchedWith,
  ])
  if (!row) throw new FencedError(ctx.chain.name)
  const progress = await progressOf(ctx, tx, height, row.finalizedHeight, reported)
  failpoint('indexer.cursor-moved')
  return progress
}

/** Formats ascending heights as a Postgres multirange. */
function multirange(heights: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const height of heights) {
    const last = ranges.at(-1)
    if (last && last[1] === height) last[1] = height + 1
    else ranges.push([height, height + 1])
  }
  return `{${ranges.map(([from, to]) => `[${from},${to})`).join(',')}}`
}
