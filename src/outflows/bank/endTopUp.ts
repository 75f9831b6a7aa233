import { type Actor, recordAudit } from '../../audit/recordAudit.ts'
import { lockPartner } from '../../partnerPayments/lockPartner.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError, notFound } from '../../platform/errors.ts'

/** What operators know of a top-up that is not seen at the partner. */
interface WantedTopUpEnd {
  operator: string
  evidence: string
}

/**
 * Ends a top-up whose transaction is final and that is not seen in the partner's balance: the next one may be
 * made. Its money stays in the books as they are; an adjustment corrects them. Audited. Only an approved
 * proposal comes here (`decideEnd`).
 * @throws ApiError 404; 409 `top_up_not_open`, `outflow_open`
 */
export async function endTopUp(
  tx: Tx,
  actor: Actor,
  id: string,
  { operator, evidence }: WantedTopUpEnd,
): Promise<void> {
  const [found] = await tx.query<{ partner: string }>(
    'select partner from partner_top_ups where outflow_id = $1',
    [id],
  )
  if (!found) throw notFound('Top-up')
  await lockPartner(tx, found.partner)
  const [topUp] = await tx.query<{ status: string; isEnded: boolean; lateAt: Date | null }>(
    `select o.status, t.ended_at is not null as "isEnded", t.late_at as "lateAt"
     from partner_top_ups t join outflows o on o.id = t.outflow_id where t.outflow_id = $1 for update of t`,
    [id],
  )
  if (!topUp || topUp.isEnded) throw new ApiError(409, 'top_up_not_open', 'it is over')
  if (topUp.status !== 'completed')
    throw new ApiError(
      409,
      'outflow_open',
      `its transaction is ${topUp.status}: npm run cowry -- payouts end ${id} ends one that is unknown`,
    )
  await tx.query(
    "update partner_top_ups set ended_at = now(), outcome = 'ended_by_operator', ended_by = $2, evidence = $3 where outflow_id = $1",
    [id, operator, evidence],
  )
  await recordAudit(tx, actor, {
    businessId: null,
    action: 'top_up.ended_by_hand',
    target: id,
    before: { lateAt: topUp.lateAt?.toISOString() ?? null },
    after: { outcome: 'ended_by_operator', operator, evidence },
  })
}
