import { type Asset, assetsOf, type Chain, registeredChain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'

export type PlanType = 'pooled' | 'native'

/** A plan of the operator's. Amounts in base units, percentages as exact decimals. */
export interface Plan {
  id: string
  name: string
  description: string
  type: PlanType
  chain: string
  token: string
  apy: string
  lockDays: number
  penaltyPercent: string
  minAmount: bigint
  maxAmount: bigint
  isActive: boolean
}

type Row = Omit<Plan, 'minAmount' | 'maxAmount'> & { minAmount: string; maxAmount: string }

const columns = `id, name, description, type, chain, token, apy::text as apy, lock_days as "lockDays", penalty_percent::text as "penaltyPercent",
  min_amount::text as "minAmount", max_amount::text as "maxAmount", stopped_at is null as "isActive"`

/** Plans by their creation. @param where SQL over `staking_plans`, with `values` from $1 on */
export async function readPlans(db: Queryable, where: string, values: unknown[]): Promise<Plan[]> {
  const rows = await db.query<Row>(`select ${columns} from staking_plans where ${where} order by id`, values)
  return rows.map((row) => ({ ...row, minAmount: BigInt(row.minAmount), maxAmount: BigInt(row.maxAmount) }))
}

/**
 * What a plan stakes.
 * @param chain as it is configured, where the contract matters; left out: the registry's
 * @throws Error for an asset that the chain does not have
 */
export function assetOfPlan(
  plan: Pick<Plan, 'chain' | 'token'>,
  chain: Chain = registeredChain(plan.chain),
): Asset {
  const asset = assetsOf(chain).find(({ symbol }) => symbol === plan.token)
  if (!asset) throw new Error(`${plan.chain} has no ${plan.token}`)
  return asset
}
