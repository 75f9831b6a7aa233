import type { Queryable } from '../platform/database/db.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { prepared } from '../platform/database/prepared.ts'
import { type Business, businessModel } from './model.ts'

export async function getBusiness(ctx: { db: ModelDb }, id: string): Promise<Business> {
  const business = await businessModel(ctx.db.sequelize).findByPk(id)
  if (!business) throw new Error(`business ${id} does not exist`)
  return business
}

export const requiresFactor = ({ requiresSecondFactor, secondFactorUntil }: Business): boolean =>
  requiresSecondFactor && (secondFactorUntil === null || secondFactorUntil.getTime() > Date.now())

/** What prices are made from. */
export type PricingBusiness = Pick<
  Business,
  | 'id'
  | 'localCurrency'
  | 'feePercent'
  | 'fxMarginPercent'
  | 'accepted'
  | 'tolerancePercent'
  | 'toleranceAmount'
  | 'returnHosts'
  | 'amountLimits'
>

const pricingBusiness = prepared(
  `select id, local_currency as "localCurrency", fee_percent as "feePercent", fx_margin_percent as "fxMarginPercent", accepted,
     tolerance_percent::text as "tolerancePercent", tolerance_amount::text as "toleranceAmount",
     return_hosts as "returnHosts", amount_limits as "amountLimits"
   from businesses where id = $1`,
)

/** Plain SQL instead of the model, for the hot path of a new session. */
export async function readPricingBusiness(db: Queryable, id: string): Promise<PricingBusiness> {
  const [business] = await db.query<PricingBusiness>(pricingBusiness, [id])
  if (!business) throw new Error(`business ${id} does not exist`)
  return business
}

/** True when a business accepts a token on a chain. */
export function accepts(business: Pick<Business, 'accepted'>, chain: string, token: string): boolean {
  return business.accepted === null || (business.accepted[chain]?.includes(token) ?? false)
}
