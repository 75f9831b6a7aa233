import type { Decided } from '../approvals/decideApproval.ts'
import { decidedTransfer } from '../transfers/decidedTransfer.ts'
import type { PurposesContext } from '../txmgr/intents.ts'

/**
 * The effect of a decision about a bridge transfer: on its burn, and on the allowance that goes ahead of it.
 */
export function decidedBridge(ctx: PurposesContext): Decided {
  const ofBurn = decidedTransfer(ctx)
  return {
    ...ofBurn,
    async approved(tx, asked, actor) {
      await tx.query(
        `update intents set next_reconcile_at = now() where status = 'created'
           and id = (select approval_intent_id from bridge_transfers where id = $1)`,
        [asked.subjectId],
      )
      await ofBurn.approved(tx, asked, actor)
    },
  }
}
