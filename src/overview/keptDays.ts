import type { DayRange } from '../platform/dayRanges.ts'

/** What is kept of a day; all days of one call are of the same business, currency and time zone. */
export type KeptDays<Row> = (
  key: string,
  days: readonly DayRange[],
  read: (days: readonly DayRange[]) => Promise<Map<string, Row>>,
) => Promise<Map<string, Row>>

/** A day that ended changes rarely: by a fork, or when an excess is credited. */
const keptMs = 5 * 60_000
/** A day is kept from so long after its end. */
const settleMs = 3_600_000
/** Each business takes some kilobytes. */
const maxKeys = 1000

/**
 * Reads the days of a business, of those that ended at most every five minutes: the page reads them again with
 * each payment, and a month may have half a million.
 */
export function keptDays<Row>(now: () => number = Date.now): KeptDays<Row> {
  const kept = new Map<string, { since: number; days: Map<string, Row> }>()
  return async (key, days, read) => {
    const at = now()
    const last = kept.get(key)
    const known = last && at - last.since < keptMs ? last : { since: at, days: new Map<string, Row>() }
    const rows = await read(days.filter(({ date }) => !known.days.has(date)))
    const all = new Map(
      days.flatMap(({ date }) => {
        const row = known.days.get(date) ?? rows.get(date)
        return row === undefined ? [] : [[date, row] as const]
      }),
    )
    const ended = days.filter(({ until }) => until.getTime() + settleMs < at)
    const held = ended.flatMap(({ date }) => {
      const row = all.get(date)
      return row === undefined ? [] : [[date, row] as const]
    })
    kept.delete(key)
    kept.set(key, { since: known.since, days: new Map(held) })
    const [oldest] = kept.keys()
    if (kept.size > maxKeys && oldest !== undefined) kept.delete(oldest)
    return all
  }
}
