import { invalidParameters } from '../platform/errors.ts'
import { firstIdAt } from '../platform/ids.ts'

/** Maximum difference between an entry's id, made by the process's clock, and its time, set by the database. */
const clockDriftMs = 3_600_000

/** No entry from this time on has a smaller id: bounds what an index reads. */
export const firstEntryFrom = (time: Date): string => firstIdAt(time.getTime() - clockDriftMs)

/** Every entry before this time has a smaller id. */
export const entriesEndBefore = (time: Date): string => firstIdAt(time.getTime() + clockDriftMs)

/** @throws ApiError 400 naming `field` for a time that has not come */
export function requirePast(field: string, time: Date): void {
  if (time.getTime() > Date.now()) throw invalidParameters({ field, message: 'is in the future' })
}
