import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { percentText } from '../money/percent.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { type PlanView, presentPlan } from './listPlans.ts'
import { requireNoLock } from './native/nativePlan.ts'
import { assetOfPlan, type Plan, readPlans } from './plan.ts'
import { readTerms, shownTerms, type TermsRequest } from './readTerms.ts'

/** Changes the terms of stakes that are made from now on. @throws ApiError 400 naming the field, 404 */
export async function changePlan(
  ctx: { db: Db },
  actor: Actor,
  id: string,
  wanted: Partial<TermsRequest>,
): Promise<PlanView> {
  return ctx.db.tx(async (tx) => {
    const plan = await lockPlan(tx, id)
    const before = requestOf(plan)
    const after = { ...before, ...wanted }
    if (plan.type === 'native') requireNoLock(after)
    const terms = readTerms(after, assetOfPlan(plan).decimals)
    await tx.query(
      `update staking_plans set name = $2, description = $3, apy = $4, lock_days = $5, penalty_percent = $6, min_amount = $7, max_amount = $8,
         updated_at = now() where id = $1`,
      [
        id,
        terms.name,
        terms.description,
        terms.apy,
        terms.lockDays,
        terms.penaltyPercent,
        String(terms.minAmount),
        String(terms.maxAmount),
      ],
    )
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'staking_plan.changed',
      target: id,
      before: shownTerms(before),
      after: shownTerms(after),
    })
    return presentPlan(await lockPlan(tx, id))
  })
}

/** @throws ApiError 404 */
export async function lockPlan(tx: Tx, id: string): Promise<Plan> {
  const [locked] = isUuid(id)
    ? await tx.query('select 1 from staking_plans where id = $1 for update', [id])
    : []
  const [plan] = locked ? await readPlans(tx, 'id = $1', [id]) : []
  if (!plan) throw notFound('Staking plan')
  return plan
}

/** The present terms in the form of a request. */
function requestOf(plan: Plan): TermsRequest {
  const { name, description, lockDays } = plan
  const { minAmount, maxAmount } = presentPlan(plan)
  return {
    name,
    description,
    lockDays,
    apy: percentText(plan.apy),
    penaltyPercent: percentText(plan.penaltyPercent),
    minAmount,
    maxAmount,
  }
}
