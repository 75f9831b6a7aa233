import type { DecidedSetting } from '../approvals/approvalSources.ts'
import { changedMeanwhile } from '../approvals/decidedSetting.ts'
import { loosens, needsSecondOwner, requestSetting, type WantedSetting } from '../approvals/protections.ts'
import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { type CoolingOff, changedCoolingOff, coolingOffAt } from '../destinations/coolingOff.ts'
import { readCoolingOff } from '../destinations/coolingOffSetting.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { sameJson } from '../platform/sameJson.ts'
import { lockPayoutLimits, presentLimits, readPayoutLimits } from '../spendingLimits/payoutLimitSettings.ts'
import {
  changedLimit,
  type LimitName,
  limitAt,
  limitNames,
  type PayoutLimits,
  shortest,
} from '../spendingLimits/payoutLimits.ts'
import {
  changedExcessHold,
  type ExcessHold,
  excessHoldAt,
  presentExcessHold,
  readExcessHold,
} from './excessHold.ts'

/** What is left out stays as it is. */
export interface WantedSettings extends Partial<Record<LimitName, string | null>> {
  coolingOffHours: number
  excessHoldDays?: number
}

export interface PayoutSettingsContext {
  db: Db
  /** How long an excess is held where a business has set nothing. */
  excessHoldDays: number
}

/** The settings as the dashboard shows them. */
export async function getPayoutSettings(ctx: PayoutSettingsContext, businessId: string) {
  const [coolingOff, limits, excessHold] = await Promise.all([
    readCoolingOff(ctx.db, businessId),
    readPayoutLimits(ctx.db, businessId),
    readExcessHold(ctx.db, businessId),
  ])
  return {
    ...present({ coolingOff, limits, excessHold }),
    excessHoldDays: excessHold.days ?? ctx.excessHoldDays,
  }
}

interface StoredSettings {
  coolingOff: CoolingOff
  limits: PayoutLimits
  excessHold: ExcessHold
}

/** What a business has set, at a moment of the database's clock. */
interface Held extends StoredSettings {
  at: Date
  /** The deployment's, in days. */
  usualHold: number
}

/**
 * Sets the cooling-off time, the limits and how long an excess is held: what is stricter at once; what is
 * looser when the cooling-off time has passed and, where there is a second owner, that one has approved it.
 * Repeating it changes nothing.
 */
export async function setPayoutSettings(
  ctx: PayoutSettingsContext,
  actor: Actor,
  businessId: string,
  wanted: WantedSettings,
) {
  const waitingApproval = await ctx.db.tx(async (tx) => {
    const held = await lockSettings(tx, businessId, ctx.excessHoldDays)
    const looser = looserOf(held, wanted)
    const waits = Object.keys(looser).length > 0 && (await needsSecondOwner(tx, businessId, actor))
    const rest = waits ? without(held, wanted, looser) : wanted
    await change(tx, actor, businessId, held, rest, held.at)
    if (!waits) return null
    const before = valuesOf(held, Object.keys(looser))
    return requestSetting(tx, actor, businessId, { setting: 'payout_settings', before, after: looser })
  })
  return { ...(await getPayoutSettings(ctx, businessId)), ...(waitingApproval && { waitingApproval }) }
}

async function lockSettings(tx: Tx, businessId: string, usualHold: number): Promise<Held> {
  await lockBusiness(tx, businessId)
  // A payout that is being stored keeps to the limits before or after this change.
  await lockPayoutLimits(tx, businessId)
  const { at, ...coolingOff } = await readCoolingOff(tx, businessId)
  const [limits, excessHold] = [await readPayoutLimits(tx, businessId), await readExcessHold(tx, businessId)]
  return { coolingOff, limits, excessHold, at, usualHold }
}

/**
 * The wanted values that are looser than the present ones, and than those that wait for the cooling-off time
 * only.
 */
function looserOf(
  { coolingOff, limits, excessHold, usualHold }: Held,
  wanted: WantedSettings,
): Partial<WantedSettings> {
  const hours = Math.min(coolingOff.hours, coolingOff.next?.hours ?? coolingOff.hours)
  const looser: Partial<WantedSettings> = {}
  if (loosens.coolingOff(hours, wanted.coolingOffHours)) looser.coolingOffHours = wanted.coolingOffHours
  const { excessHoldDays } = wanted
  const days = excessHold.next?.days ?? excessHold.days ?? usualHold
  if (excessHoldDays !== undefined && loosens.excessHold(days, excessHoldDays))
    looser.excessHoldDays = excessHoldDays
  for (const name of limitNames) {
    const value = wanted[name]
    const { value: now, next } = limits[name]
    if (value !== undefined && loosens.payoutLimit(next ? next.value : now, value))
      looser[name] = shortest(value)
  }
  return looser
}

/**
 * The request with present values in place of the looser ones, so that these and what waits for them stay.
 */
function without(
  { coolingOff }: Held,
  wanted: WantedSettings,
  looser: Partial<WantedSettings>,
): WantedSettings {
  const rest = { ...wanted }
  for (const name of limitNames) if (name in looser) delete rest[name]
  if (looser.excessHoldDays !== undefined) delete rest.excessHoldDays
  if (looser.coolingOffHours !== undefined) rest.coolingOffHours = coolingOff.next?.hours ?? coolingOff.hours
  return rest
}

/** The present values, by name. */
function valuesOf({ coolingOff, limits, excessHold }: Held, names: readonly string[]): object {
  const own = { coolingOffHours: coolingOff.hours, excessHoldDays: excessHold.days }
  const all = { ...own, ...Object.fromEntries(limitNames.map((name) => [name, limits[name].value])) }
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

/** @param askedAt looser values apply when the present cooling-off time has passed since */
async function change(
  tx: Tx,
  actor: Actor,
  businessId: string,
  held: Held,
  wanted: Partial<WantedSettings>,
  askedAt: Date,
): Promise<void> {
  const { coolingOff, limits, excessHold, at, usualHold } = held
  const { coolingOffHours: hours, excessHoldDays: days } = wanted
  const nextCoolingOff =
    hours === undefined ? coolingOff : coolingOffAt(changedCoolingOff(coolingOff, hours, askedAt), at)
  const changed = Object.fromEntries(
    limitNames.map((name) => {
      const value = wanted[name]
      if (value === undefined) return [name, limits[name]]
      return [name, limitAt(changedLimit(limits[name], shortest(value), coolingOff.hours, askedAt), at)]
    }),
  ) as unknown as PayoutLimits
  const nextHold =
    days === undefined
      ? excessHold
      : excessHoldAt(changedExcessHold(excessHold, days, usualHold, coolingOff.hours, askedAt), at)
  const next = { coolingOff: nextCoolingOff, limits: changed, excessHold: nextHold }
  const [before, after] = [present(held), present(next)]
  if (JSON.stringify(before) === JSON.stringify(after)) return
  await store(tx, businessId, next)
  await recordAudit(tx, actor, {
    businessId,
    action: 'payout_settings.changed',
    target: businessId,
    before,
    after,
  })
}

/** The requested time is shorter than the deployment's time. */
const anyHold = Number.POSITIVE_INFINITY

/** The effect of a decision about looser settings. */
export const decidedPayoutSettings: DecidedSetting = {
  async whyOver(tx, { businessId, wanted }) {
    const { before } = wanted as WantedSetting
    return sameJson(valuesOf(await lockSettings(tx, businessId, anyHold), Object.keys(before)), before)
      ? null
      : changedMeanwhile
  },
  async approved(tx, { businessId, wanted, askedAt }, actor) {
    const { after } = wanted as WantedSetting<Partial<WantedSettings>>
    await change(tx, actor, businessId, await lockSettings(tx, businessId, anyHold), after, askedAt)
  },
}

async function store(
  tx: Queryable,
  businessId: string,
  { coolingOff, limits, excessHold }: StoredSettings,
): Promise<void> {
  await tx.query(
    `insert into payout_settings (business_id, cooling_off_hours, next_hours, next_from, limits, excess_hold_days, next_excess_hold_days,
       next_excess_hold_from)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (business_id) do update set cooling_off_hours = excluded.cooling_off_hours, next_hours = excluded.next_hours,
       next_from = excluded.next_from, limits = excluded.limits, excess_hold_days = excluded.excess_hold_days,
       next_excess_hold_days = excluded.next_excess_hold_days, next_excess_hold_from = excluded.next_excess_hold_from, updated_at = now()`,
    [
      ...[
        businessId,
        coolingOff.hours,
        coolingOff.next?.hours,
        coolingOff.next?.from,
        JSON.stringify(limits),
      ],
      ...[excessHold.days, excessHold.next?.days, excessHold.next?.from],
    ],
  )
}

const present = ({ coolingOff: { hours, next }, limits, excessHold }: StoredSettings) => ({
  coolingOffHours: hours,
  next: next && { coolingOffHours: next.hours, from: next.from.toISOString() },
  ...presentLimits(limits),
  ...presentExcessHold(excessHold),
})
