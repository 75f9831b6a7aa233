import type { Decided } from '../approvals/decideApproval.ts'
import { readAttempts } from '../txmgr/attempts.ts'
import { failIntent } from '../txmgr/failIntent.ts'
import { lockIntent, type PurposesContext } from '../txmgr/intents.ts'

/** The effect of a decision about a transfer. */
export const decidedTransfer = (ctx: PurposesContext): Decided => ({
  async whyOver(tx, { subjectId: id }) {
    const row = await lockIntent(tx, id)
    if (row?.status === 'created')
      return (await readAttempts(tx, id)).length === 0 ? null : 'The transfer is being signed'
    return `The transfer has ended: ${row?.message ?? row?.status}`
  },
  async approved(tx, { subjectId: id }) {
    await tx.query('update intents set next_reconcile_at = now(), updated_at = now() where id = $1', [id])
    await tx.query("select pg_notify('cowry_intents', '')")
  },
  async refused(tx, { subjectId: id }) {
    const row = await lockIntent(tx, id)
    if (row) await failIntent(ctx, tx, row, 'approval_refused', 'An owner has refused it')
  },
})
