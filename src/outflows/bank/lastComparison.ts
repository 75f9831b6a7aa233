import type { Queryable } from '../../platform/database/db.ts'

export interface Mismatch {
  /** What is too much: a payment in the partner's list, or a payout in our table. */
  place: 'partner' | 'books'
  problem: string
  outflowId: string | null
  partnerPaymentId: string | null
}

export interface Comparison {
  at: Date
  mismatches: Mismatch[]
  /** Millionths of a US dollar; null: the partner did not report its balance. */
  drift: bigint | null
}

/** Null before the first comparison. */
export async function lastComparison(db: Queryable, partner: string): Promise<Comparison | null> {
  const [row] = await db.query<{ id: string; at: Date; drift: string | null }>(
    'select id::text, ended_at as at, drift::text from partner_comparisons where partner = $1 order by id desc limit 1',
    [partner],
  )
  if (!row) return null
  const mismatches = await db.query<Mismatch>(
    `select place, problem, outflow_id as "outflowId", partner_payment_id as "partnerPaymentId" from partner_mismatches
     where comparison_id = $1 order by outflow_id, partner_payment_id`,
    [row.id],
  )
  return { at: row.at, mismatches, drift: row.drift === null ? null : BigInt(row.drift) }
}
