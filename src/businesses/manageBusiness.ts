import { lockAccount } from '../accounts/findAccount.ts'
import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Approval } from '../members/businessApproval.ts'
import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { invalidBody } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { requireTimeZone } from '../platform/localDates.ts'
import { getBusiness, requiresFactor } from './business.ts'
import { type Business, businessModel } from './model.ts'
import { requireMayOpen } from './openingLimit.ts'
import { storeTimeZone } from './timeZone.ts'

export interface BusinessView {
  id: string
  name: string
  localCurrency: string | null
  /** IANA name. */
  timeZone: string
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
  timeZone: business.timeZone,
  approval: business.approval,
  approvalReason: business.approvalReason ?? null,
  ownersNeedSecondFactor: requiresFactor(business),
  secondFactorUntil: requiresFactor(business) ? (business.secondFactorUntil?.toISOString() ?? null) : null,
  createdAt: business.createdAt.toISOString(),
})

/**
 * Opens a business owned by the caller; in production it waits for approval.
 * @throws ApiError 400 naming `timeZone`; 409 `too_many_businesses`
 */
export async function createBusiness(
  ctx: { db: ModelDb },
  actor: Actor,
  ownerId: string,
  wanted: NewBusiness,
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

/** What a business is opened with. */
export interface NewBusiness {
  name: string
  localCurrency?: string | null
  /** IANA name; UTC where it is left out. */
  timeZone?: string
}

/**
 * Inserts a business without members. It pays no fees until an operator sets them.
 * @throws ApiError 400 naming `timeZone`
 */
export async function insertBusiness(
  ctx: { db: ModelDb },
  tx: ModelTx,
  actor: Actor,
  wanted: NewBusiness & { openedBy?: string },
): Promise<Business> {
  const { timeZone = 'UTC' } = wanted
  requireTimeZone(timeZone, invalidBody)
  const businesses = businessModel(ctx.db.sequelize)
  const { id } = await businesses.create(
    {
      id: newId(),
      name: wanted.name.trim(),
      localCurrency: wanted.localCurrency ?? null,
      timeZone,
      feePercent: '0',
      fxMarginPercent: '0',
      accepted: null,
      openedBy: wanted.openedBy ?? null,
    },
    { transaction: tx.transaction },
  )
  const business = await businesses.findByPk(id, { transaction: tx.transaction, rejectOnEmpty: true })
  const after = { name: business.name, localCurrency: business.localCurrency, timeZone }
  await recordAudit(tx, actor, { businessId: id, action: 'business.created', target: id, after })
  return business
}

/** Changes what is given. @throws ApiError 400 naming `timeZone` */
export async function changeBusiness(
  ctx: { db: ModelDb },
  actor: Actor,
  businessId: string,
  { name, timeZone }: { name?: string; timeZone?: string },
): Promise<BusinessView> {
  if (timeZone !== undefined) requireTimeZone(timeZone, invalidBody)
  const business = await getBusiness(ctx, businessId)
  return ctx.db.tx(async (tx) => {
    const { transaction } = tx
    await business.reload({ transaction, lock: transaction.LOCK.NO_KEY_UPDATE })
    if (name !== undefined) await rename(tx, actor, business, name.trim())
    if (timeZone !== undefined) await storeTimeZone(tx, actor, business, timeZone)
    return presentBusiness(business)
  })
}

async function rename(tx: ModelTx, actor: Actor, business: Business, name: string): Promise<void> {
  const before = { name: business.name }
  await business.update({ name }, { transaction: tx.transaction })
  await recordAudit(tx, actor, {
    businessId: business.id,
    action: 'business.renamed',
    target: business.id,
    before,
    after: { name },
  })
}
