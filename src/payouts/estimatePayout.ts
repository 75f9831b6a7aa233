import { getBusiness } from '../businesses/business.ts'
import type { ModelDb } from '../platform/database/modelDb.ts'
import { compareWithLimits, type LimitsContext } from '../spendingLimits/requireWithinPayoutLimits.ts'
import { priceOf } from './presentPayout.ts'
import { type PricingContext, pricePayout } from './pricePayout.ts'
import { type ReadPayoutContext, readSource, readTarget } from './readPayout.ts'

export interface EstimateContext extends ReadPayoutContext, PricingContext, LimitsContext {
  db: ModelDb
}

export interface EstimateRequest {
  chain: string
  token: string
  amount: string
  destinationId: string
}

/**
 * Prices a payout to a saved destination as creating it would, and stores nothing.
 * @throws ApiError 400 naming the field; 404; 422 with the reason; 503
 */
export async function estimatePayout(
  ctx: EstimateContext,
  businessId: string,
  { chain, token, amount, destinationId }: EstimateRequest,
) {
  const request = { amount, source: { chain, token }, destination: { id: destinationId } }
  const source = readSource(ctx, request)
  const target = await readTarget(ctx, businessId, request.destination)
  const priced = await pricePayout(ctx, source, target, await getBusiness(ctx, businessId))
  const { approval } = await compareWithLimits(ctx, ctx.db, businessId, {
    chain,
    token,
    amount: source.amount,
  })
  return { ...priceOf({ chain, token, ...priced }), needsApproval: approval }
}
