import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { assetsOf, type ConfiguredChain } from '../chains/registry.ts'
import { requireChain, tokenUnavailable } from '../chains/requireChain.ts'
import type { Db } from '../platform/database/db.ts'
import { invalidBody } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { type PlanView, presentPlan } from './listPlans.ts'
import { requireNative } from './native/nativePlan.ts'
import { type PlanType, readPlans } from './plan.ts'
import { readTerms, shownTerms, type TermsRequest } from './readTerms.ts'

/** Creates a plan, pooled by default. @throws ApiError 400 naming the field */
export async function createPlan(
  ctx: { db: Db; chains: readonly ConfiguredChain[] },
  actor: Actor,
  { type = 'pooled', ...request }: TermsRequest & { chain: string; token: string; type?: PlanType },
): Promise<PlanView> {
  const chain = requireChain(ctx, request.chain)
  const asset = assetsOf(chain).find(({ symbol }) => symbol === request.token)
  if (!asset)
    throw invalidBody({
      field: 'token',
      message: tokenUnavailable(request.token, chain.name),
      code: 'unavailable_token',
    })
  if (type === 'native') requireNative(chain, asset.contract, request)
  const terms = readTerms(request, asset.decimals)
  const id = newId()
  return ctx.db.tx(async (tx) => {
    await tx.query(
      `insert into staking_plans (id, name, description, type, chain, token, apy, lock_days, penalty_percent, min_amount, max_amount)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        id,
        terms.name,
        terms.description,
        type,
        chain.name,
        asset.symbol,
        terms.apy,
        terms.lockDays,
        terms.penaltyPercent,
        String(terms.minAmount),
        String(terms.maxAmount),
      ],
    )
    const after = { type, chain: chain.name, token: asset.symbol, ...shownTerms(request) }
    await recordAudit(tx, actor, { businessId: null, action: 'staking_plan.created', target: id, after })
    const [plan] = await readPlans(tx, 'id = $1', [id])
    if (!plan) throw new Error('the plan was not stored')
    return presentPlan(plan)
  })
}
