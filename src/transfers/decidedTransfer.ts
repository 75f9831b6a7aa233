import type { Decided } from '../approvals/decideApproval.ts'
import { failOutgoing } from '../outgoing/failOutgoing.ts'
import { lockOutgoing, type OnChange, type Purpose, readTransactions } from '../outgoing/outgoing.ts'

/** What follows from the decision about a transfer. */
export const decidedTransfer = (ctx: { onChange: Record<Purpose, OnChange> }): Decided => ({
  async whyOver(tx, { subjectId: id }) {
    const row = await lockOutgoing(tx, id)
    if (row?.status === 'created') return (await readTransactions(tx, id)).length === 0 ? null : 'The transfer is being signed'
    return `The transfer has ended: ${row?.message ?? row?.status}`
  },
  async approved(tx, { subjectId: id }) {
    await tx.query('update outgoing set next_look_at = now(), updated_at = now() where id = $1', [id])
    await tx.query("select pg_notify('cowry_outgoing', '')")
  },
  async refused(tx, { subjectId: id }) {
    const row = await lockOutgoing(tx, id)
    if (row) await failOutgoing(ctx, tx, row, 'approval_refused', 'An owner has refused it')
  },
})
