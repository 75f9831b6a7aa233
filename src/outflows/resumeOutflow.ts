import type { Queryable } from '../platform/database/db.ts'
import { isUuid } from '../platform/ids.ts'

/**
 * Makes an outflow due whose payment at the partner has changed, also a completed one, which the bank may
 * return. Only the worker that then queries the partner changes it.
 */
export async function resumeOutflow(
  db: Queryable,
  partner: string,
  payment: { id: string; sequenceId: string | null },
): Promise<void> {
  const woken = await db.query(
    `update outflows set next_at = now() where partner = $1 and kind <> 'top_up'
       and (ended_by is not null or status in ('processing', 'unknown', 'completed')) and (next_at > now() or (next_at is null and status = 'completed'))
       and (partner_payment_id = $2 or (partner_payment_id is null and id = $3)) returning id`,
    [
      partner,
      payment.id,
      payment.sequenceId !== null && isUuid(payment.sequenceId) ? payment.sequenceId : null,
    ],
  )
  if (woken.length > 0) await db.query("select pg_notify('cowry_payouts', '')")
}
