import { confirmDue, progressOf, type ReportedHeights } from './confirm.ts'
import type { LeaderContext } from './context.ts'
import { FencedError, idleGuard } from './cursor.ts'

/**
 * Confirms detections that became final or agreed since, without waiting for a new block.
 * @returns how many detections were confirmed
 * @throws FencedError when this process no longer leads
 */
export function advanceFinality(ctx: LeaderContext, reported: ReportedHeights): Promise<number> {
  return ctx.db.tx(async (tx) => {
    const [cursor] = await tx.query<{ height: string | null; finalizedHeight: string | null }>(
      `update chain_cursors set finalized_height = case when $3::bigint is null then finalized_height else greatest(finalized_height, least($3, height)) end, updated_at = now()
       where chain = $1 and epoch = $2 returning height, finalized_height as "finalizedHeight", ${idleGuard}`,
      [ctx.chain.name, ctx.epoch.toString(), reported.finalized],
    )
    if (!cursor) throw new FencedError(ctx.chain.name)
    if (cursor.height === null) return 0
    return confirmDue(
      ctx,
      tx,
      await progressOf(ctx, tx, Number(cursor.height), cursor.finalizedHeight, reported),
    )
  })
}
