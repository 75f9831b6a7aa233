import { formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import { assetOfPlan, type Plan, readPlans } from './plan.ts'

export type PlanView = ReturnType<typeof presentPlan>

/** Every plan of the operator's, also those that take no new stakes. */
export async function listPlans(
  ctx: { db: Queryable },
  chain: string | undefined,
): Promise<{ plans: PlanView[] }> {
  const plans = await readPlans(
    ctx.db,
    chain === undefined ? 'true' : 'chain = $1',
    chain === undefined ? [] : [chain],
  )
  return { plans: plans.map(presentPlan) }
}

/** A plan as the API shows it: amounts in whole units. */
export function presentPlan(plan: Plan) {
  const { minAmount, maxAmount, apy, penaltyPercent, ...shown } = plan
  const { decimals } = assetOfPlan(plan)
  return {
    ...shown,
    apy: Number(apy),
    penaltyPercent: Number(penaltyPercent),
    minAmount: formatUnits(minAmount, decimals),
    maxAmount: formatUnits(maxAmount, decimals),
  }
}
