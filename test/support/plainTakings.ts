import type { BusinessDay, TakenRow } from '../../src/overview/businessDays.ts'
import type { Queryable } from '../../src/platform/database/db.ts'
import type { DayRange } from '../../src/platform/dayRanges.ts'
import { keptUnits } from '../../src/sessions/keptUnits.ts'

/** What was taken by day, from the sessions themselves. */
export async function plainTakings(
  db: Queryable,
  { businessId, currency, days }: { businessId: string; currency: string; days: readonly DayRange[] },
): Promise<Map<string, BusinessDay>> {
  const all = new Map<string, BusinessDay>()
  for (const { date, from, until } of days) {
    const taken = await db.query<TakenRow>(
      `select $5::text as day, chain, token, count(*)::int as payments, sum(kept)::text as units,
         coalesce(sum(case when kept = amount_expected then local_amount else local_amount * kept / amount_expected end) filter (where priced), 0)::text as local,
         coalesce(sum(kept) filter (where not priced), 0)::text as unpriced
       from (
         select chain, token, local_amount, amount_expected, ${keptUnits} as kept, local_amount is not null and local_currency is not distinct from $2 as priced
         from pos_sessions where business_id = $1 and paid_at >= $3 and paid_at < $4
       ) s group by chain, token order by chain, token`,
      [businessId, currency, from, until, date],
    )
    const [row] = await db.query<{ unpaid: number }>(
      `select count(*)::int as unpaid from pos_sessions where business_id = $1 and status in ('expired', 'cancelled')
         and coalesce(cancelled_at, expires_at) >= $2 and coalesce(cancelled_at, expires_at) < $3`,
      [businessId, from, until],
    )
    all.set(date, { taken, unpaid: row?.unpaid ?? 0 })
  }
  return all
}
