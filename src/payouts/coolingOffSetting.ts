import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Db, Queryable } from '../platform/db.ts'
import { type CoolingOff, changedCoolingOff, coolingOffAt, usualCoolingOff } from './coolingOff.ts'

/** A business's cooling-off time at this moment, by the database's clock. */
export async function readCoolingOff(db: Queryable, businessId: string): Promise<CoolingOff & { at: Date }> {
  const [row] = await db.query<{ at: Date; hours: number | null; nextHours: number | null; nextFrom: Date | null }>(
    `select now() as at, s.cooling_off_hours as hours, s.next_hours as "nextHours", s.next_from as "nextFrom"
     from (values ($1::uuid)) as b (id) left join payout_settings s on s.business_id = b.id`,
    [businessId],
  )
  if (!row) throw new Error('the database answered without its time')
  const { at, hours, nextHours, nextFrom } = row
  const stored =
    hours === null ? usualCoolingOff : { hours, next: nextHours === null || nextFrom === null ? null : { hours: nextHours, from: nextFrom } }
  return { ...coolingOffAt(stored, at), at }
}

/** The settings as the dashboard shows them. */
export async function getPayoutSettings(ctx: { db: Db }, businessId: string) {
  return present(await readCoolingOff(ctx.db, businessId))
}

/** Sets the cooling-off time. Repeating it changes nothing. */
export async function setPayoutSettings(ctx: { db: Db }, actor: Actor, businessId: string, { coolingOffHours }: { coolingOffHours: number }) {
  await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, businessId)
    const { at, ...held } = await readCoolingOff(tx, businessId)
    const wanted = changedCoolingOff(held, coolingOffHours, at)
    const [before, after] = [present(held), present(wanted)]
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await tx.query(
      `insert into payout_settings (business_id, cooling_off_hours, next_hours, next_from) values ($1, $2, $3, $4)
       on conflict (business_id) do update set cooling_off_hours = excluded.cooling_off_hours, next_hours = excluded.next_hours,
         next_from = excluded.next_from, updated_at = now()`,
      [businessId, wanted.hours, wanted.next?.hours, wanted.next?.from],
    )
    await recordAudit(tx, actor, { businessId, action: 'payout_settings.changed', target: businessId, before, after })
  })
  return getPayoutSettings(ctx, businessId)
}

const present = ({ hours, next }: CoolingOff) => ({
  coolingOffHours: hours,
  next: next && { coolingOffHours: next.hours, from: next.from.toISOString() },
})
