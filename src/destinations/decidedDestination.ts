import type { Decided } from '../approvals/decideApproval.ts'

/**
 * The effect of a decision about a new destination: nothing is paid to it before, and a refused one is
 * archived.
 */
export const decidedDestination: Decided = {
  async whyOver(tx, { subjectId: id, businessId }) {
    const rows = await tx.query<{ isArchived: boolean }>(
      `select archived_at is not null as "isArchived" from payout_destinations where id = $1 and business_id = $2 for no key update`,
      [id, businessId],
    )
    return rows[0]?.isArchived === false ? null : 'The destination is archived'
  },
  async approved(tx, { subjectId: id }) {
    await tx.query(
      "update outflows set next_at = now() where destination_id = $1 and status = 'pending' and reason = 'destination_approval'",
      [id],
    )
    await tx.query("select pg_notify('cowry_payouts', '')")
  },
  async refused(tx, { subjectId: id, businessId }) {
    await tx.query(
      'update payout_destinations set archived_at = now() where id = $1 and business_id = $2 and archived_at is null',
      [id, businessId],
    )
  },
}
