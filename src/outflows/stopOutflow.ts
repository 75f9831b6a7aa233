import type { Tx } from '../platform/database/db.ts'
import type { OutflowStep, OutflowsContext } from './context.ts'
import { releases } from './ends/waysToEnd.ts'
import { isInDoubt, refusalInDoubt } from './inDoubt.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockClaimed, type Outflow } from './outflow.ts'
import type { Stop } from './stop.ts'

/**
 * Lets a claimed, pending outflow wait, or ends it, with the reason. One that is in doubt becomes `unknown`
 * in place of an end.
 */
export async function stopOutflow(ctx: OutflowsContext, outflow: Outflow, stop: Stop): Promise<void> {
  const step = await ctx.db.tx(async (tx) => {
    const now = await lockClaimed(tx, outflow)
    return now ? stopLocked(ctx, tx, now, stop) : null
  })
  if (step) ctx.observe(step, outflow.kind)
}

async function stopLocked(ctx: OutflowsContext, tx: Tx, now: Outflow, stop: Stop): Promise<OutflowStep> {
  if (!stop.ends) {
    await moveOutflow(ctx, tx, now, { reason: stop.reason, nextInMs: stop.nextInMs })
    return 'waiting'
  }
  // It may be at the partner: it does not end for a reason of the platform.
  if (isInDoubt(now)) {
    await moveOutflow(ctx, tx, now, { status: 'unknown', reason: refusalInDoubt, nextInMs: 0 })
    return 'unknown'
  }
  await moveOutflow(ctx, tx, now, { status: releases[stop.ends].to, release: stop.ends, reason: stop.reason })
  return 'failed'
}
