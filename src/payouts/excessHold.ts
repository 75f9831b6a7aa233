import { loosens } from '../approvals/protections.ts'
import type { Queryable } from '../platform/database/db.ts'

/** For how long a business holds what came beyond the amount of a session. */
export interface ExcessHold {
  /** Null: the deployment's time. */
  days: number | null
  /** A shorter time that was requested. */
  next: { days: number; from: Date } | null
}

const unset: ExcessHold = { days: null, next: null }
const hourMs = 3_600_000

/** A business's time at this moment, by the database's clock. */
export async function readExcessHold(db: Queryable, businessId: string): Promise<ExcessHold> {
  const [row] = await db.query<{
    at: Date
    days: number | null
    nextDays: number | null
    nextFrom: Date | null
  }>(
    `select now() as at, excess_hold_days as days, next_excess_hold_days as "nextDays", next_excess_hold_from as "nextFrom"
     from payout_settings where business_id = $1`,
    [businessId],
  )
  if (!row) return unset
  const { at, days, nextDays, nextFrom } = row
  return excessHoldAt(
    { days, next: nextDays === null || nextFrom === null ? null : { days: nextDays, from: nextFrom } },
    at,
  )
}

/** The time that applies at a moment. */
export const excessHoldAt = ({ days, next }: ExcessHold, at: Date): ExcessHold =>
  next !== null && next.from <= at ? { days: next.days, next: null } : { days, next }

/**
 * A longer time applies at once. A shorter one applies when the cooling-off time has passed, as with limits.
 * A second request that is no shorter than the first keeps its moment.
 * @param usualDays the deployment's time
 */
export function changedExcessHold(
  { days, next }: ExcessHold,
  wanted: number,
  usualDays: number,
  coolingOffHours: number,
  at: Date,
): ExcessHold {
  if (!loosens.excessHold(days ?? usualDays, wanted)) return { days: wanted, next: null }
  const from =
    next !== null && !loosens.excessHold(next.days, wanted)
      ? next.from
      : new Date(at.getTime() + coolingOffHours * hourMs)
  return excessHoldAt({ days, next: { days: wanted, from } }, at)
}

/** As the dashboard and the audit log show it. */
export const presentExcessHold = ({ days, next }: ExcessHold) => ({
  excessHoldDays: days,
  nextExcessHold: next && { excessHoldDays: next.days, from: next.from.toISOString() },
})
