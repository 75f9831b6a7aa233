import { invalidParameters } from '../platform/errors.ts'
import { firstMoment } from '../platform/localDates.ts'

/** A month of a time zone: `from` included, `to` excluded. */
export interface MonthRange {
  from: Date
  to: Date
}

/**
 * A month in a time zone.
 * @param month `2026-11`
 * @param timeZone IANA name
 * @throws ApiError 400 naming `month` or `timeZone`
 */
export function monthRange(month: string, timeZone: string): MonthRange {
  if (!/^2\d{3}-(0[1-9]|1[0-2])$/.test(month))
    throw invalidParameters({
      field: 'month',
      message: 'is not a month such as 2026-11',
      code: 'invalid_form',
    })
  const startOf = (of: string) => firstMoment(`${of}-01`, timeZone)
  return { from: startOf(month), to: startOf(monthAfter(month)) }
}

/** `2027-01` after `2026-12` */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}
