import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { SessionException } from '../sessions/model.ts'

/** Sessions with money that did not come as expected, and that wait for a decision. */
export interface OpenDecisions {
  /** At most `maxCounted`. */
  count: number
  isMore: boolean
  newest: {
    id: string
    reference: string | null
    chain: string
    token: string
    amountReceived: string
    exception: Exclude<SessionException, 'none'>
  }[]
}

type Row = Omit<OpenDecisions['newest'][number], 'amountReceived'> & { units: string }

const maxCounted = 100
const shown = 3

/**
 * The dashboard offers a decision in the same cases (`openDecision`), and for as long as anyone likes for an
 * excess that was credited by its deadline, which needs nobody. The conditions of the first two lines are
 * those of the index `pos_sessions_undecided`.
 */
const select = `
  select id, reference, chain, token, amount_received::text as units, exception from pos_sessions s
  where business_id = $1 and exception <> 'none' and resolution is null
    and (held_until is not null or amount_credited is null)
    and (held_until is not null or (
      (status <> 'pending' or exists (select 1 from session_payments p where p.session_id = s.id and p.status = 'confirmed'))
      and not exists (select 1 from outflows o where o.session_id = s.id and o.kind = 'refund' and o.status not in ('failed', 'cancelled'))))
  order by created_at desc limit ${maxCounted + 1}`

export async function openDecisions(db: Queryable, businessId: string): Promise<OpenDecisions> {
  const rows = await db.query<Row>(select, [businessId])
  return {
    count: Math.min(rows.length, maxCounted),
    isMore: rows.length > maxCounted,
    newest: rows.slice(0, shown).map(({ units, ...row }) => ({
      ...row,
      amountReceived: formatUnits(BigInt(units), tokenDecimals(row.chain, row.token)),
    })),
  }
}
