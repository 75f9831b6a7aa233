import type { Queryable } from '../platform/database/db.ts'
import type { DayRange } from '../platform/dayRanges.ts'

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

/** A day of a business. */
export interface BusinessDay {
  taken: TakenRow[]
  /** Sessions that ended without being paid: expired, or cancelled. */
  unpaid: number
}

/**
 * Sums by quarters of an hour, and the changes that are not in them yet: one range of both a day. Both are
 * read at one moment, so that each change is in one of them.
 */
const select = `
  select d.day, t.* from unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) as d(day, since, until), lateral (
    select chain, token, sum(payments)::int as payments, sum(units)::text as units,
      coalesce(sum(local) filter (where currency = $2), 0)::text as local,
      coalesce(sum(units) filter (where currency <> $2), 0)::text as unpriced, sum(unpaid)::int as unpaid
    from (
      select chain, token, currency, payments, units, local, unpaid from taken_sums where business_id = $1 and at >= d.since and at < d.until
      union all
      select chain, token, currency, payments, units, local, unpaid from taken_changes where business_id = $1 and at >= d.since and at < d.until
    ) s group by chain, token
  ) t
  order by d.day, t.chain, t.token`

/** Each of these days, in their order. @param days of full quarters of an hour, as those of all zones are */
export async function readDays(
  db: Queryable,
  { businessId, currency, days }: { businessId: string; currency: string; days: readonly DayRange[] },
): Promise<Map<string, BusinessDay>> {
  const rows = await db.query<TakenRow & { unpaid: number }>(select, [
    businessId,
    currency,
    days.map(({ date }) => date),
    days.map(({ from }) => from),
    days.map(({ until }) => until),
  ])
  return new Map(
    days.map(({ date }) => {
      const ofDay = rows.filter(({ day }) => day === date)
      return [
        date,
        {
          taken: ofDay.filter(({ payments }) => payments > 0).map(({ unpaid: _, ...row }) => row),
          unpaid: ofDay.reduce((sum, { unpaid }) => sum + unpaid, 0),
        },
      ]
    }),
  )
}
