import { addressCodec } from '../chains/codecs.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { requireAmount } from '../chains/requireAmount.ts'
import { requireChain } from '../chains/requireChain.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { invalidBody, notFound } from '../platform/errors.ts'
import type { FieldCode } from '../platform/fieldCodes.ts'
import { isUuid } from '../platform/ids.ts'
import { Secret } from '../platform/secrets.ts'
import { parsePrivateKey } from '../wallets/storeWallet.ts'
import { aboveMaximum, belowMinimum, planStopped } from './errors.ts'
import { presentPlan } from './listPlans.ts'
import { assetOfPlan, type Plan, readPlans } from './plan.ts'

export interface StakeRequest {
  chain: string
  planId: string
  amount: string
  fromPrivateKey: string
  validator?: string
}

export interface WantedStake {
  chain: ConfiguredChain
  plan: Plan
  /** Base units. */
  amount: bigint
  /** Normal form. */
  from: string
  key: Secret
  validator: string | null
}

/**
 * Reads a request, without the chain.
 * @throws ApiError 400 naming the field, 404 for an unknown plan, 409 `plan_stopped`, 422 for an amount
 * outside of the plan
 */
export async function readStakeRequest(
  ctx: { db: Queryable; chains: readonly ConfiguredChain[] },
  { planId, fromPrivateKey, ...request }: StakeRequest,
): Promise<WantedStake> {
  const chain = requireChain(ctx, request.chain)
  const { address: from, privateKey: key } = parsePrivateKey(
    chain,
    new Secret(fromPrivateKey),
    'fromPrivateKey',
  )
  const validator = readValidator(chain, request.validator)
  const [plan] = isUuid(planId) ? await readPlans(ctx.db, 'id = $1', [planId]) : []
  if (!plan) throw notFound('Staking plan')
  if (plan.chain !== chain.name)
    throw invalidBody({
      field: 'chain',
      message: `is not that of the plan, which is on ${plan.chain}`,
      code: 'not_possible',
    })
  const amount = requireAmount(request.amount, assetOfPlan(plan).decimals, 'amount')
  if (!plan.isActive) throw planStopped()
  requireWithinLimits(plan, amount)
  return { chain, plan, amount, from, key, validator }
}

/**
 * Required on solana for every plan, refused elsewhere. Pooled plans do not use it.
 * @throws ApiError 400 naming the field
 */
function readValidator({ family, name }: ConfiguredChain, validator: string | undefined): string | null {
  const wrong = (code: FieldCode, message: string) => invalidBody({ field: 'validator', message, code })
  const isNeeded = family === 'solana'
  if (!isNeeded && validator === undefined) return null
  if (validator === undefined) throw wrong('required', `is required on ${name}`)
  if (!isNeeded) throw wrong('not_possible', `is for solana, not for ${name}`)
  const address = addressCodec(family).normalise(validator)
  if (address === null) throw wrong('invalid_address', `is not a valid address on ${name}`)
  return address
}

/**
 * The terms that a plan has now; it stays as it is until the transaction ends.
 * @throws ApiError 409 if it was stopped meanwhile, 422 if its limits changed
 */
export async function requirePlan(tx: Tx, planId: string, amount: bigint): Promise<Plan> {
  await tx.query('select 1 from staking_plans where id = $1 for share', [planId])
  const [plan] = await readPlans(tx, 'id = $1 and stopped_at is null', [planId])
  if (!plan) throw planStopped()
  requireWithinLimits(plan, amount)
  return plan
}

/** @throws ApiError 422 for an amount outside of the plan */
function requireWithinLimits(plan: Plan, amount: bigint): void {
  const { minAmount, maxAmount } = presentPlan(plan)
  if (amount < plan.minAmount) throw belowMinimum(minAmount)
  if (amount > plan.maxAmount) throw aboveMaximum(maxAmount)
}
