import { invalidParameters } from '../platform/errors.ts'
import { firstIdAt } from '../platform/ids.ts'

/** No entry from this time on has a smaller id: bounds what an index reads. @param driftMs `maxIdDrift` */
export const firstEntryFrom = (time: Date, driftMs: number): string => firstIdAt(time.getTime() - driftMs)

/** Every entry before this time has a smaller id. */
export const entriesEndBefore = (time: Date, driftMs: number): string => firstIdAt(time.getTime() + driftMs)

/** @throws ApiError 400 naming `field` for a time that has not come */
export function requirePast(field: string, time: Date): void {
  if (time.getTime() > Date.now())
    throw invalidParameters({ field, message: 'is in the future', code: 'in_future' })
}
