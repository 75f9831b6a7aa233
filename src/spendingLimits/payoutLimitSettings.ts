import type { Queryable, Tx } from '../platform/database/db.ts'
import { type LimitName, limitAt, limitNames, noLimits, type PayoutLimits } from './payoutLimits.ts'

type Stored = Partial<
  Record<LimitName, { value: string | null; next: { value: string | null; from: string } | null }>
>

/** A business's limits at this moment, by the database's clock. */
export async function readPayoutLimits(db: Queryable, businessId: string): Promise<PayoutLimits> {
  const [row] = await db.query<{ at: Date; limits: Stored }>(
    'select now() as at, limits from payout_settings where business_id = $1',
    [businessId],
  )
  return row ? limitsAt(row.limits, row.at) : noLimits
}

function limitsAt(stored: Stored, at: Date): PayoutLimits {
  const read = (name: LimitName) => {
    const limit = stored[name]
    return limit
      ? limitAt(
          {
            value: limit.value,
            next: limit.next && { value: limit.next.value, from: new Date(limit.next.from) },
          },
          at,
        )
      : noLimits[name]
  }
  return {
    maxPerPayout: read('maxPerPayout'),
    maxPerDay: read('maxPerDay'),
    approvalAbove: read('approvalAbove'),
  }
}

/**
 * Serializes what counts against the limits of a business, and changes of them, until the transaction ends.
 */
export async function lockPayoutLimits(tx: Tx, businessId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`payout limits of ${businessId}`])
}

/** As the dashboard shows them. */
export function presentLimits(limits: PayoutLimits) {
  const nextOf = (name: LimitName) => {
    const { next } = limits[name]
    return next && { value: next.value, from: next.from.toISOString() }
  }
  return {
    ...(Object.fromEntries(limitNames.map((name) => [name, limits[name].value])) as Record<
      LimitName,
      string | null
    >),
    nextLimits: {
      maxPerPayout: nextOf('maxPerPayout'),
      maxPerDay: nextOf('maxPerDay'),
      approvalAbove: nextOf('approvalAbove'),
    },
  }
}
