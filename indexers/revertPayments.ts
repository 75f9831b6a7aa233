import type { Tx } from '../src/platform/database/db.ts'
import { detectionRow } from '../src/watches/publishDetections.ts'
import type { DetectionRow } from '../src/watches/purposes.ts'
import type { CommitContext } from './context.ts'
import { publish } from './publish.ts'
import type { Reread } from './reread.ts'

/**
 * Reverts recorded payments that the chain does not have, as a fork would: detections are reverted, and jobs
 * are enqueued. For an operator, after a check.
 * @returns how many detections were reverted
 */
export function revertPayments(ctx: CommitContext, payments: Reread['unsupported']): Promise<number> {
  return ctx.db.tx(async (tx: Tx) => {
    const rows = await tx.query<DetectionRow>(
      `with orphaned as (
         update transfers t set canonical = false from unnest($2::bigint[], $3::text[], $4::text[]) as u(height, tx_id, movement_key)
         where t.chain = $1 and t.canonical and t.block_height = u.height and t.tx_id = u.tx_id and t.movement_key = u.movement_key returning t.id)
       update detections set status = 'reverted', reverted_at = now() from orphaned where detections.transfer_id = orphaned.id and detections.status <> 'reverted'
       returning ${detectionRow}`,
      [
        ctx.chain.name,
        payments.map((each) => each.height),
        payments.map((each) => each.txId),
        payments.map((each) => each.movementKey),
      ],
    )
    await publish(tx, rows, 'reverted')
    return rows.length
  })
}
