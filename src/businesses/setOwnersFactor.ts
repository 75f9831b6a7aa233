import type { Factor } from '../accounts/factor.ts'
import { factorMissing } from '../accounts/secondFactor.ts'
import type { DecidedSetting } from '../approvals/approvalSources.ts'
import { coolingOffHours } from '../approvals/coolingOffHours.ts'
import { changedMeanwhile } from '../approvals/decidedSetting.ts'
import { loosens, needsSecondOwner, requestSetting, type WantedSetting } from '../approvals/protections.ts'
import type { WaitingChange } from '../approvals/requestApproval.ts'
import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { requiresFactorSql } from '../members/businessApproval.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { sameJson } from '../platform/sameJson.ts'
import { getBusiness } from './business.ts'
import { type BusinessView, presentBusiness } from './manageBusiness.ts'

/**
 * Sets whether a business requires a second factor of its members who may move money. To stop requiring it
 * waits for a second owner, where there is one, and for the cooling-off time.
 * @param factor the deciding owner's: an owner without one must not lock themselves out
 * @throws ApiError 403 `second_factor_required`
 */
export async function setOwnersFactor(
  ctx: { db: ModelDb },
  actor: Actor,
  businessId: string,
  required: boolean,
  factor: Factor | null,
): Promise<BusinessView & { waitingApproval?: WaitingChange }> {
  if (required && factor === null) throw factorMissing()
  const waitingApproval = await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, businessId)
    const { required: now, ends } = await readRequirement(tx, businessId)
    if (required === (now && !ends)) return null
    if (loosens.secondFactor(now, required) && (await needsSecondOwner(tx, businessId, actor))) {
      const [before, after] = [{ ownersNeedSecondFactor: now }, { ownersNeedSecondFactor: required }]
      return requestSetting(tx, actor, businessId, { setting: 'second_factor', before, after })
    }
    if (required) await begin(tx, actor, businessId, now)
    else await end(tx, actor, businessId, (await coolingOffHours(tx, businessId)).at)
    return null
  })
  const business = presentBusiness(await getBusiness(ctx, businessId))
  return { ...business, ...(waitingApproval && { waitingApproval }) }
}

/** @returns whether it is required now, and whether that has an end */
async function readRequirement(
  db: Queryable,
  businessId: string,
): Promise<{ required: boolean; ends: boolean }> {
  const [row] = await db.query<{ required: boolean; ends: boolean }>(
    `select ${requiresFactorSql('b')} as required, coalesce(b.second_factor_until > now(), false) as ends from businesses b where b.id = $1`,
    [businessId],
  )
  return row ?? { required: false, ends: false }
}

async function begin(tx: Tx, actor: Actor, businessId: string, was: boolean): Promise<void> {
  await tx.query(
    'update businesses set requires_second_factor = true, second_factor_until = null where id = $1',
    [businessId],
  )
  await audit(tx, actor, businessId, { ownersNeedSecondFactor: was }, { ownersNeedSecondFactor: true })
}

/** Ends it when the cooling-off time has passed since the request. */
async function end(tx: Tx, actor: Actor, businessId: string, askedAt: Date): Promise<void> {
  const { hours } = await coolingOffHours(tx, businessId)
  const until = new Date(askedAt.getTime() + hours * 3_600_000)
  await tx.query('update businesses set second_factor_until = $2 where id = $1', [businessId, until])
  await audit(
    tx,
    actor,
    businessId,
    { ownersNeedSecondFactor: true },
    { ownersNeedSecondFactor: false, from: until.toISOString() },
  )
}

const audit = (tx: Tx, actor: Actor, businessId: string, before: object, after: object): Promise<void> =>
  recordAudit(tx, actor, {
    businessId,
    action: 'business.second_factor_set',
    target: businessId,
    before,
    after,
  })

/** The effect of a decision about the end of the requirement. */
export const decidedOwnersFactor: DecidedSetting = {
  async whyOver(tx, { businessId, wanted }) {
    const { required } = await readRequirement(tx, businessId)
    return sameJson((wanted as WantedSetting).before, { ownersNeedSecondFactor: required })
      ? null
      : changedMeanwhile
  },
  approved: (tx, { businessId, askedAt }, actor) => end(tx, actor, businessId, askedAt),
}
