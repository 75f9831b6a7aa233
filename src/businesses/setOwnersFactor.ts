import type { Factor } from '../accounts/factor.ts'
import { factorMissing } from '../accounts/secondFactor.ts'
import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { ModelDb } from '../platform/modelDb.ts'
import { getBusiness } from './business.ts'
import { type BusinessView, presentBusiness } from './manageBusiness.ts'

/**
 * Sets whether a business requires a second factor of its owners.
 * @param factor the deciding owner's: an owner without one must not lock themselves out
 * @throws ApiError 403 `second_factor_required`
 */
export async function setOwnersFactor(
  ctx: { db: ModelDb },
  actor: Actor,
  businessId: string,
  required: boolean,
  factor: Factor | null,
): Promise<BusinessView> {
  if (required && factor === null) throw factorMissing()
  const business = await getBusiness(ctx, businessId)
  return ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await business.reload({ transaction, lock: transaction.LOCK.NO_KEY_UPDATE })
    const before = { ownersNeedSecondFactor: business.requiresSecondFactor }
    if (before.ownersNeedSecondFactor === required) return presentBusiness(business)
    await business.update({ requiresSecondFactor: required }, { transaction })
    const change = { before, after: { ownersNeedSecondFactor: required } }
    await recordAudit(tx, actor, { businessId, action: 'business.second_factor_set', target: businessId, ...change })
    return presentBusiness(business)
  })
}
