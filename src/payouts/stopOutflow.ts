import type { OutflowsContext } from './context.ts'
import { isInDoubt, refusalInDoubt } from './inDoubt.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockClaimed, type Outflow } from './outflow.ts'
import type { Stop } from './stop.ts'
import { releases } from './waysToEnd.ts'

/** Lets a claimed, pending outflow wait, or ends it, with the reason. One that is in doubt becomes `unknown` in place of an end. */
export async function stopOutflow(ctx: OutflowsContext, outflow: Outflow, stop: Stop): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    if (!now) return
    // It may be at the partner: it does not end for a reason of ours.
    if (stop.ends && isInDoubt(now)) await moveOutflow(ctx, tx, now, { status: 'unknown', reason: refusalInDoubt, nextInMs: 0 })
    else if (stop.ends) await moveOutflow(ctx, tx, now, { status: releases[stop.ends].to, release: stop.ends, reason: stop.reason })
    else await moveOutflow(ctx, tx, now, { reason: stop.reason, nextInMs: stop.nextInMs })
  })
  ctx.observe(stop.ends ? 'failed' : 'waiting', outflow.kind)
}
