import { dollars } from '../../ledger/entry.ts'
import type { Queryable } from '../../platform/database/db.ts'
import { firstIdAt } from '../../platform/ids.ts'

const dayMs = 86_400_000
const days = ['today', 'yesterday'] as const

/**
 * What exchanges of bank payouts gained, less what they lost, in millionths of a US dollar, by the UTC day of
 * the entries.
 */
export async function fxResultByDay(
  db: Queryable,
  now: Date,
): Promise<{ day: (typeof days)[number]; result: bigint }[]> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  // Ids are in the order of time: the index of an account's postings finds the two days.
  const rows = await db.query<{ isToday: boolean; result: string }>(
    `select p.entry_id >= $2 as "isToday", (-sum(p.amount))::text as result
     from ledger_accounts a join ledger_postings p on p.account_id = a.id
     where a.name = 'fx_result' and a.business_id is null and a.asset = $3 and p.entry_id >= $1 and p.entry_id < $4 group by 1`,
    [firstIdAt(today - dayMs), firstIdAt(today), dollars, firstIdAt(today + dayMs)],
  )
  return days.map((day) => ({
    day,
    result: BigInt(rows.find(({ isToday }) => isToday === (day === 'today'))?.result ?? 0),
  }))
}
