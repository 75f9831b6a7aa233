import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Db } from '../platform/database/db.ts'
import { lockPlan } from './changePlan.ts'
import { type PlanView, presentPlan } from './listPlans.ts'

/** Ends new stakes of a plan, for good. Repeating it changes nothing. @throws ApiError 404 */
export async function stopPlan(ctx: { db: Db }, actor: Actor, id: string): Promise<PlanView> {
  return ctx.db.tx(async (tx) => {
    const plan = await lockPlan(tx, id)
    if (!plan.isActive) return presentPlan(plan)
    await tx.query('update staking_plans set stopped_at = now(), updated_at = now() where id = $1', [id])
    await recordAudit(tx, actor, { businessId: null, action: 'staking_plan.stopped', target: id })
    return presentPlan(await lockPlan(tx, id))
  })
}
