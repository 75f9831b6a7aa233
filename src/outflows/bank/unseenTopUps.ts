import type { Queryable } from '../../platform/database/db.ts'
import { inMillionths } from '../../pricing/dollars.ts'

/**
 * Top-ups that were not seen at the partner yet, in millionths of a US dollar: all of them, and those that
 * the books have already.
 */
export async function unseenTopUps(
  db: Queryable,
  partner: string,
): Promise<{ coming: bigint; booked: bigint }> {
  const rows = await db.query<{ chain: string; token: string; amount: string; status: string }>(
    `select o.chain, o.token, o.amount::text, o.status from partner_top_ups t join outflows o on o.id = t.outflow_id
     where t.partner = $1 and t.ended_at is null`,
    [partner],
  )
  const sum = (of: typeof rows) =>
    of.reduce((all, row) => all + inMillionths({ ...row, amount: BigInt(row.amount) }, 'down'), 0n)
  return {
    coming: sum(rows.filter(({ status }) => status === 'processing' || status === 'unknown')),
    booked: sum(rows.filter(({ status }) => status === 'completed')),
  }
}
