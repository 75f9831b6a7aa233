import { messageOf } from '../platform/errors.ts'
import type { OutflowsContext } from './context.ts'
import { RestoreUnsettledError } from './ends/mayRelease.ts'
import type { Outflow } from './outflow.ts'
import { stopOutflow } from './stopOutflow.ts'

/**
 * Refuses a pending outflow whose row or destination is not proven: it fails. Where the books hold no money
 * for it, it rests as it is, for a person.
 */
export async function refuseOutflow(ctx: OutflowsContext, outflow: Outflow, why: string): Promise<void> {
  const { id, kind, nextAt } = outflow
  ctx.observe('refused', kind)
  ctx.log.error(
    { outflow: id, why },
    'an outflow is refused: its row may be forged (docs/runbooks/a-payout-does-not-leave.md)',
  )
  try {
    await stopOutflow(ctx, outflow, { reason: 'refused_by_worker', nextInMs: 0, ends: 'refused_by_worker' })
  } catch (error) {
    if (error instanceof RestoreUnsettledError) throw error
    ctx.log.error(
      { outflow: id, err: messageOf(error) },
      'a refused outflow cannot be ended: nothing steps it again',
    )
    await ctx.db.query('update outflows set next_at = null where id = $1 and next_at = $2::timestamptz', [
      id,
      nextAt,
    ])
  }
}
