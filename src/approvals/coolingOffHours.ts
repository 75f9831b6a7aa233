import type { Queryable } from '../platform/database/db.ts'

/** The cooling-off time that a business has now, by the database's clock; 24 hours by default. */
export async function coolingOffHours(
  db: Queryable,
  businessId: string,
): Promise<{ hours: number; at: Date }> {
  const [row] = await db.query<{ hours: number; at: Date }>(
    `select now() as at, coalesce(case when s.next_from <= now() then s.next_hours else s.cooling_off_hours end, 24) as hours
     from (values ($1::uuid)) as b (id) left join payout_settings s on s.business_id = b.id`,
    [businessId],
  )
  if (!row) throw new Error('the database answered without its time')
  return row
}
