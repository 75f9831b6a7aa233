import type { ModelDb } from '../platform/modelDb.ts'
import { type Business, businessModel } from './model.ts'

export async function getBusiness(ctx: { db: ModelDb }, id: string): Promise<Business> {
  const business = await businessModel(ctx.db.sequelize).findByPk(id)
  if (!business) throw new Error(`business ${id} does not exist`)
  return business
}

/** True when a business accepts a token on a chain. */
export function accepts(business: Pick<Business, 'accepted'>, chain: string, token: string): boolean {
  return business.accepted === null || (business.accepted[chain]?.includes(token) ?? false)
}
