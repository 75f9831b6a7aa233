import type { Outflow } from '../outflow.ts'
import {
  isQuestionDue,
  type ScreeningContext,
  screenedStop,
  screeningReason,
  screenOutflow,
} from './screenOutflow.ts'

/**
 * Queries the operator's screening for an outflow that was claimed without its answer, because screening was
 * off then: until it allows it, its transaction is not signed. A refusal also keeps a signed one from being
 * sent. The pauses between two questions are those of a pending outflow.
 */
export async function screenClaimed(ctx: ScreeningContext, outflow: Outflow): Promise<void> {
  if (outflow.status !== 'processing' || outflow.intentId === null) return
  if ((await screenedStop(ctx, ctx.db, outflow))?.reason !== screeningReason) return
  // What was sent and can never be in a block is given up: it is signed again.
  const sent = await ctx.db.query(
    'select 1 from intent_attempts where intent_id = $1 and sends > 0 and void_at is null limit 1',
    [outflow.intentId],
  )
  if (sent.length === 0 && (await isQuestionDue(ctx.db, outflow))) await screenOutflow(ctx, outflow)
}
