import type { Queryable } from '../platform/database/db.ts'
import { type MonthRange, monthAfter, monthRange } from './monthRange.ts'
import { readClosedMonths } from './months.ts'

/**
 * The times of a month of a business's books. A closed month has those by which it was closed, also where the
 * business has another time zone now, or the rules of the zone have changed.
 * @param wanted.own the zone of the business @param wanted.timeZone of a month by other clocks, if at all
 * @throws ApiError 400 naming `month` or `timeZone`
 */
export async function monthPeriod(
  db: Queryable,
  businessId: string,
  { month, own, timeZone }: { month: string; own: string; timeZone?: string },
): Promise<MonthRange> {
  const zone = timeZone ?? own
  const months = await readClosedMonths(db, businessId)
  const closed = months.find((each) => each.month === month)
  if (closed && (zone === own || zone === closed.timeZone)) return { from: closed.from, to: closed.to }
  return zone === own ? openMonth(months, month, zone) : monthRange(month, zone)
}

/** A month that is not closed. The one after a closed month begins where that one ended. */
export function openMonth(
  closed: readonly { month: string; to: Date }[],
  month: string,
  timeZone: string,
): MonthRange {
  const range = monthRange(month, timeZone)
  const before = closed.find((each) => monthAfter(each.month) === month)
  return before ? { ...range, from: before.to } : range
}
