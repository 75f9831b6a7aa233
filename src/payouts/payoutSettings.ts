import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Db, Queryable } from '../platform/db.ts'
import { type CoolingOff, changedCoolingOff } from './coolingOff.ts'
import { readCoolingOff } from './coolingOffSetting.ts'
import { lockPayoutLimits, presentLimits, readPayoutLimits } from './limitSettings.ts'
import { changedLimit, type LimitName, limitNames, type PayoutLimits, shortest } from './payoutLimits.ts'

/** A limit that is left out stays as it is. */
export interface WantedSettings extends Partial<Record<LimitName, string | null>> {
  coolingOffHours: number
}

/** The settings as the dashboard shows them. */
export async function getPayoutSettings(ctx: { db: Db }, businessId: string) {
  return present(await readCoolingOff(ctx.db, businessId), await readPayoutLimits(ctx.db, businessId))
}

/** Sets the cooling-off time and the limits. Repeating it changes nothing. */
export async function setPayoutSettings(ctx: { db: Db }, actor: Actor, businessId: string, wanted: WantedSettings) {
  await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, businessId)
    // A payout that is being stored keeps to the limits before or after this change.
    await lockPayoutLimits(tx, businessId)
    const { at, ...held } = await readCoolingOff(tx, businessId)
    const limits = await readPayoutLimits(tx, businessId)
    const coolingOff = changedCoolingOff(held, wanted.coolingOffHours, at)
    const changed = Object.fromEntries(
      limitNames.map((name) => [
        name,
        wanted[name] === undefined ? limits[name] : changedLimit(limits[name], shortest(wanted[name]), held.hours, at),
      ]),
    ) as unknown as PayoutLimits
    const [before, after] = [present(held, limits), present(coolingOff, changed)]
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await store(tx, businessId, coolingOff, changed)
    await recordAudit(tx, actor, { businessId, action: 'payout_settings.changed', target: businessId, before, after })
  })
  return getPayoutSettings(ctx, businessId)
}

async function store(tx: Queryable, businessId: string, { hours, next }: CoolingOff, limits: PayoutLimits): Promise<void> {
  await tx.query(
    `insert into payout_settings (business_id, cooling_off_hours, next_hours, next_from, limits) values ($1, $2, $3, $4, $5)
     on conflict (business_id) do update set cooling_off_hours = excluded.cooling_off_hours, next_hours = excluded.next_hours,
       next_from = excluded.next_from, limits = excluded.limits, updated_at = now()`,
    [businessId, hours, next?.hours, next?.from, JSON.stringify(limits)],
  )
}

const present = ({ hours, next }: CoolingOff, limits: PayoutLimits) => ({
  coolingOffHours: hours,
  next: next && { coolingOffHours: next.hours, from: next.from.toISOString() },
  ...presentLimits(limits),
})
