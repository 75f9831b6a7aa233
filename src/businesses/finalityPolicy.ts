import type { FinalityChoice, FinalityPolicy } from '../chains/finality.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { requireUnits } from '../chains/requireAmount.ts'
import { requireChain } from '../chains/requireChain.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import { parseUnits } from '../money/amount.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'
import { invalidBody } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'

export interface StoredPolicy {
  id: string
  rules: FinalityPolicy
}

const selectPolicy = prepared(
  'select p.id, p.rules from businesses b join finality_policies p on p.id = b.finality_policy_id where b.id = $1',
)

/** A business's choices about finality; null: each chain's own rule applies. */
export async function readPolicy(db: Queryable, businessId: string): Promise<StoredPolicy | null> {
  const [row] = await db.query<StoredPolicy>(selectPolicy, [businessId])
  return row ?? null
}

/**
 * Replaces a business's choices. They apply to later sessions: a session keeps the rules that it was created
 * with.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming the field that is outside the operator's bounds
 */
export async function setPolicy(
  ctx: { db: Db; chains: readonly ConfiguredChain[] },
  businessId: string,
  rules: readonly ({ chain: string } & FinalityChoice)[],
  also: (tx: Tx, result: { before: FinalityPolicy; after: FinalityPolicy }) => Promise<void>,
): Promise<StoredPolicy> {
  const seen = new Set<string>()
  for (const [index, rule] of rules.entries()) {
    const field = `rules.${index}`
    const chain = requireChain(ctx, rule.chain, { field: `${field}.chain` })
    if (seen.has(rule.chain))
      throw invalidBody({
        field: `${field}.chain`,
        message: `${rule.chain} has two rules`,
        code: 'duplicate',
      })
    seen.add(rule.chain)
    requireWithinBounds(field, chain, rule)
  }
  const policy = {
    id: newId(),
    rules: Object.fromEntries(rules.map(({ chain, ...choice }) => [chain, choice])),
  }
  await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, businessId)
    const before = await readPolicy(tx, businessId)
    await tx.query('insert into finality_policies (id, business_id, rules) values ($1, $2, $3)', [
      policy.id,
      businessId,
      JSON.stringify(policy.rules),
    ])
    await tx.query('update businesses set finality_policy_id = $1 where id = $2', [policy.id, businessId])
    await also(tx, { before: before?.rules ?? {}, after: policy.rules })
  })
  return policy
}

/** Amounts are compared with six decimals, which every token of the registry has at least. */
const scale = 6

function requireWithinBounds(
  field: string,
  chain: ConfiguredChain,
  { early, largeFrom }: FinalityChoice,
): void {
  const { minConfirmations, earlyUpTo, largeFrom: operatorsLargeFrom } = chain.finality
  const amountOf = (name: string, text: string) => requireUnits(text, scale, `${field}.${name}`)
  const ceiling = (text: string) => parseUnits(text, scale) ?? 0n
  if (early) {
    if (early.confirmations < minConfirmations) {
      throw invalidBody({
        field: `${field}.early.confirmations`,
        message: `must be at least ${minConfirmations} on ${chain.name}`,
        code: 'too_small',
      })
    }
    if (amountOf('early.upTo', early.upTo) > ceiling(earlyUpTo)) {
      throw invalidBody({
        field: `${field}.early.upTo`,
        message: `may be ${earlyUpTo} at most on ${chain.name}`,
        code: 'too_large',
      })
    }
  }
  if (largeFrom === undefined) return
  const from = amountOf('largeFrom', largeFrom)
  if (operatorsLargeFrom !== null && from > ceiling(operatorsLargeFrom)) {
    throw invalidBody({
      field: `${field}.largeFrom`,
      message: `may be ${operatorsLargeFrom} at most on ${chain.name}`,
      code: 'too_large',
    })
  }
  if (early && from <= amountOf('early.upTo', early.upTo)) {
    throw invalidBody({
      field: `${field}.largeFrom`,
      message: 'must be more than early.upTo',
      code: 'invalid_range',
    })
  }
}
