import type { Queryable } from '../platform/database/db.ts'
import type { DayRange } from '../platform/dayRanges.ts'
import { keptUnits } from '../sessions/keptUnits.ts'

/** What was taken on a day, in one token of one network. */
export interface TakenRow {
  /** `2026-11-30` */
  day: string
  chain: string
  token: string
  payments: number
  /** Base units. */
  units: string
  /** What the payments with a price in the currency were worth when their sessions were made. */
  local: string
  /** Base units of the others. */
  unpriced: string
}

/**
 * What paid sessions keep, by day. It is read from the index `pos_sessions_taken` alone, one range a day:
 * working out the day of each row takes longer than the sums.
 */
const select = `
  select d.day, t.chain, t.token, t.payments, t.units::text, t.local::text, t.unpriced::text
  from unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) as d(day, since, until), lateral (
    select chain, token, count(*)::int as payments, sum(kept) as units,
      coalesce(sum(local_amount) filter (where priced and kept = amount_expected), 0)
        + coalesce(sum(local_amount * kept / amount_expected) filter (where priced and kept <> amount_expected), 0) as local,
      coalesce(sum(kept) filter (where not priced), 0) as unpriced
    from (
      select chain, token, local_amount, amount_expected,
        ${keptUnits} as kept,
        local_amount is not null and local_currency is not distinct from $2 as priced
      from pos_sessions where business_id = $1 and paid_at >= d.since and paid_at < d.until
    ) s group by chain, token
  ) t
  order by d.day, t.chain, t.token`

/** A day of a business. */
export interface BusinessDay {
  taken: TakenRow[]
  /** Sessions that ended without being paid. */
  unpaid: number
}

/** Expired, or cancelled; from the index `pos_sessions_unpaid` alone. */
const selectUnpaid = `
  select d.day, (select count(*)::int from pos_sessions where business_id = $1 and status in ('expired', 'cancelled')
    and coalesce(cancelled_at, expires_at) >= d.since and coalesce(cancelled_at, expires_at) < d.until) as unpaid
  from unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) as d(day, since, until)`

/** Each of these days, in their order. */
export async function readDays(
  db: Queryable,
  { businessId, currency, days }: { businessId: string; currency: string; days: readonly DayRange[] },
): Promise<Map<string, BusinessDay>> {
  const ranges = [days.map(({ date }) => date), days.map(({ from }) => from), days.map(({ until }) => until)]
  const [taken, unpaid] = await Promise.all([
    db.query<TakenRow>(select, [businessId, currency, ...ranges]),
    db.query<{ day: string; unpaid: number }>(selectUnpaid, [businessId, ...ranges]),
  ])
  return new Map(
    days.map(({ date }) => [
      date,
      {
        taken: taken.filter(({ day }) => day === date),
        unpaid: unpaid.find(({ day }) => day === date)?.unpaid ?? 0,
      },
    ]),
  )
}
