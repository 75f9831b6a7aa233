import type { Queryable } from '../platform/database/db.ts'
import { type CoolingOff, coolingOffAt, usualCoolingOff } from './coolingOff.ts'

/** A business's cooling-off time at this moment, by the database's clock. */
export async function readCoolingOff(db: Queryable, businessId: string): Promise<CoolingOff & { at: Date }> {
  const [row] = await db.query<{
    at: Date
    hours: number | null
    nextHours: number | null
    nextFrom: Date | null
  }>(
    `select now() as at, s.cooling_off_hours as hours, s.next_hours as "nextHours", s.next_from as "nextFrom"
     from (values ($1::uuid)) as b (id) left join payout_settings s on s.business_id = b.id`,
    [businessId],
  )
  if (!row) throw new Error('the database answered without its time')
  const { at, hours, nextHours, nextFrom } = row
  const stored =
    hours === null
      ? usualCoolingOff
      : { hours, next: nextHours === null || nextFrom === null ? null : { hours: nextHours, from: nextFrom } }
  return { ...coolingOffAt(stored, at), at }
}
