import { lockAccount } from '../accounts/findAccount.ts'
import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Approval } from '../members/businessApproval.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { newId } from '../platform/ids.ts'
import { getBusiness, requiresFactor } from './business.ts'
import { type Business, businessModel } from './model.ts'
import { requireMayOpen } from './openingLimit.ts'

export interface BusinessView {
  id: string
  name: string
  localCurrency: string | null
  approval: Approval
  approvalReason: string | null
  ownersNeedSecondFactor: boolean
  /** When the requirement ends; null: not at all. */
  secondFactorUntil: string | null
  createdAt: string
}

export const presentBusiness = (business: Business): BusinessView => ({
  id: business.id,
  name: business.name,
  localCurrency: business.localCurrency,
  approval: business.approval,
  approvalReason: business.approvalReason ?? null,
  ownersNeedSecondFactor: requiresFactor(business),
  secondFactorUntil: requiresFactor(business) ? (business.secondFactorUntil?.toISOString() ?? null) : null,
  createdAt: business.createdAt.toISOString(),
})

/**
 * Opens a business owned by the caller; in production it waits for approval.
 * @throws ApiError 409 `too_many_businesses`
 */
export async function createBusiness(
  ctx: { db: ModelDb },
  actor: Actor,
  ownerId: string,
  wanted: { name: string; localCurrency?: string | null },
): Promise<BusinessView> {
  return ctx.db.tx(async (tx) => {
    await lockAccount(tx, ownerId)
    await requireMayOpen(tx, ownerId)
    const business = await insertBusiness(ctx, tx, actor, { ...wanted, openedBy: ownerId })
    await tx.query(`insert into members (business_id, account_id, role) values ($1, $2, 'owner')`, [
      business.id,
      ownerId,
    ])
    return presentBusiness(business)
  })
}

/** Inserts a business without members. It pays no fees until an operator sets them. */
export async function insertBusiness(
  ctx: { db: ModelDb },
  tx: ModelTx,
  actor: Actor,
  wanted: { name: string; localCurrency?: string | null; openedBy?: string },
): Promise<Business> {
  const businesses = businessModel(ctx.db.sequelize)
  const { id } = await businesses.create(
    {
      id: newId(),
      name: wanted.name.trim(),
      localCurrency: wanted.localCurrency ?? null,
      feePercent: '0',
      fxMarginPercent: '0',
      accepted: null,
      openedBy: wanted.openedBy ?? null,
    },
    { transaction: tx.transaction },
  )
  const business = await businesses.findByPk(id, { transaction: tx.transaction, rejectOnEmpty: true })
  const after = { name: business.name, localCurrency: business.localCurrency }
  await recordAudit(tx, actor, { businessId: id, action: 'business.created', target: id, after })
  return business
}

export async function renameBusiness(
  ctx: { db: ModelDb },
  actor: Actor,
  businessId: string,
  name: string,
): Promise<BusinessView> {
  const business = await getBusiness(ctx, businessId)
  return ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await business.reload({ transaction, lock: transaction.LOCK.NO_KEY_UPDATE })
    const before = { name: business.name }
    await business.update({ name: name.trim() }, { transaction })
    await recordAudit(tx, actor, {
      businessId,
      action: 'business.renamed',
      target: businessId,
      before,
      after: { name: business.name },
    })
    return presentBusiness(business)
  })
}
