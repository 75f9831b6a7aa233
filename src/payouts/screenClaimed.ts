import type { Outflow } from './outflow.ts'
import { type ScreeningContext, screenedStop, screeningReason, screenOutflow } from './screenOutflow.ts'

/**
 * Asks the operator's screening about an outflow that was claimed without its answer, because screening was off then: until it allows it, its transaction
 * is not sent.
 */
export async function screenClaimed(ctx: ScreeningContext, outflow: Outflow): Promise<void> {
  if (outflow.status !== 'processing' || outflow.intentId === null) return
  if ((await screenedStop(ctx, ctx.db, outflow))?.reason !== screeningReason) return
  const sent = await ctx.db.query('select 1 from intent_attempts where intent_id = $1 and sends > 0 limit 1', [outflow.intentId])
  if (sent.length === 0) await screenOutflow(ctx, outflow)
}
