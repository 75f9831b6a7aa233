import { changedMeanwhile, type DecidedSettings } from '../approvals/decidedSetting.ts'
import { askSetting, loosens, needsSecondOwner, type WantedSetting } from '../approvals/protections.ts'
import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Db, Queryable, Tx } from '../platform/db.ts'
import { sameJson } from '../platform/sameJson.ts'
import { type CoolingOff, changedCoolingOff, coolingOffAt } from './coolingOff.ts'
import { readCoolingOff } from './coolingOffSetting.ts'
import { lockPayoutLimits, presentLimits, readPayoutLimits } from './limitSettings.ts'
import { changedLimit, type LimitName, limitAt, limitNames, type PayoutLimits, shortest } from './payoutLimits.ts'

/** A limit that is left out stays as it is. */
export interface WantedSettings extends Partial<Record<LimitName, string | null>> {
  coolingOffHours: number
}

/** The settings as the dashboard shows them. */
export async function getPayoutSettings(ctx: { db: Db }, businessId: string) {
  return present(await readCoolingOff(ctx.db, businessId), await readPayoutLimits(ctx.db, businessId))
}

/** What a business has set, at a moment of the database's clock. */
interface Held {
  coolingOff: CoolingOff
  limits: PayoutLimits
  at: Date
}

/**
 * Sets the cooling-off time and the limits: what is stricter at once; what is looser when the cooling-off time has passed and, where there is a second
 * owner, that one has approved it. Repeating it changes nothing.
 */
export async function setPayoutSettings(ctx: { db: Db }, actor: Actor, businessId: string, wanted: WantedSettings) {
  const waitingApproval = await ctx.db.tx(async (tx) => {
    const held = await lockSettings(tx, businessId)
    const looser = looserOf(held, wanted)
    const waits = Object.keys(looser).length > 0 && (await needsSecondOwner(tx, businessId, actor))
    const rest = waits ? without(held, wanted, looser) : wanted
    await change(tx, actor, businessId, held, rest, held.at)
    if (!waits) return null
    const before = valuesOf(held, Object.keys(looser))
    return askSetting(tx, actor, businessId, { setting: 'payout_settings', before, after: looser })
  })
  return { ...(await getPayoutSettings(ctx, businessId)), ...(waitingApproval && { waitingApproval }) }
}

async function lockSettings(tx: Tx, businessId: string): Promise<Held> {
  await lockBusiness(tx, businessId)
  // A payout that is being stored keeps to the limits before or after this change.
  await lockPayoutLimits(tx, businessId)
  const { at, ...coolingOff } = await readCoolingOff(tx, businessId)
  return { coolingOff, limits: await readPayoutLimits(tx, businessId), at }
}

/** The wanted values that are looser than the present ones, and than those that wait for the cooling-off time only. */
function looserOf({ coolingOff, limits }: Held, wanted: WantedSettings): Partial<WantedSettings> {
  const hours = Math.min(coolingOff.hours, coolingOff.next?.hours ?? coolingOff.hours)
  const looser: Partial<WantedSettings> = {}
  if (loosens.coolingOff(hours, wanted.coolingOffHours)) looser.coolingOffHours = wanted.coolingOffHours
  for (const name of limitNames) {
    const value = wanted[name]
    const { value: now, next } = limits[name]
    if (value !== undefined && loosens.payoutLimit(next ? next.value : now, value)) looser[name] = shortest(value)
  }
  return looser
}

/** The request with present values in place of the looser ones, so that these and what waits for them stay. */
function without({ coolingOff }: Held, wanted: WantedSettings, looser: Partial<WantedSettings>): WantedSettings {
  const rest = { ...wanted }
  for (const name of limitNames) if (name in looser) delete rest[name]
  if (looser.coolingOffHours !== undefined) rest.coolingOffHours = coolingOff.next?.hours ?? coolingOff.hours
  return rest
}

/** The present values, by name. */
function valuesOf({ coolingOff, limits }: Held, names: readonly string[]): Partial<WantedSettings> {
  const all = { coolingOffHours: coolingOff.hours, ...Object.fromEntries(limitNames.map((name) => [name, limits[name].value])) }
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/** @param askedAt looser values apply when the present cooling-off time has passed since */
async function change(tx: Tx, actor: Actor, businessId: string, held: Held, wanted: Partial<WantedSettings>, askedAt: Date): Promise<void> {
  const { coolingOff, limits, at } = held
  const hours = wanted.coolingOffHours
  const nextCoolingOff = hours === undefined ? coolingOff : coolingOffAt(changedCoolingOff(coolingOff, hours, askedAt), at)
  const changed = Object.fromEntries(
    limitNames.map((name) => {
      const value = wanted[name]
      if (value === undefined) return [name, limits[name]]
      return [name, limitAt(changedLimit(limits[name], shortest(value), coolingOff.hours, askedAt), at)]
    }),
  ) as unknown as PayoutLimits
  const [before, after] = [present(coolingOff, limits), present(nextCoolingOff, changed)]
  if (JSON.stringify(before) === JSON.stringify(after)) return
  await store(tx, businessId, nextCoolingOff, changed)
  await recordAudit(tx, actor, { businessId, action: 'payout_settings.changed', target: businessId, before, after })
}

/** The effect of a decision about looser settings. */
export const decidedPayoutSettings: DecidedSettings['payout_settings'] = {
  async whyOver(tx, { businessId, wanted }) {
    const { before } = wanted as WantedSetting
    return sameJson(valuesOf(await lockSettings(tx, businessId), Object.keys(before)), before) ? null : changedMeanwhile
  },
  async approved(tx, { businessId, wanted, askedAt }, actor) {
    const { after } = wanted as WantedSetting<Partial<WantedSettings>>
    await change(tx, actor, businessId, await lockSettings(tx, businessId), after, askedAt)
  },
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
