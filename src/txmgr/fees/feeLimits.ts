import type { ConfiguredChain } from '../../chains/registry.ts'
import type { Queryable, Tx } from '../../platform/database/db.ts'

/** The limits of a process's own settings, which no row lifts. */
export type FeeSettings = Pick<ConfiguredChain, 'name' | 'maxFee'> &
  Partial<Pick<ConfiguredChain, 'feeBudget'>>

/** Limits of network fees on a chain that are in force now, in base units of the native coin. */
export interface FeeLimits {
  /** Of one transaction. */
  ceiling: bigint
  /** Of everything that the treasury signs within 24 hours; null: no limit. */
  budget: bigint | null
}

/** What the operator has set for a chain by `npm run cowry -- fees`. */
export interface StoredLimits {
  ceiling: bigint | null
  budget: bigint | null
}

export async function storedLimits(db: Queryable, chain: string): Promise<StoredLimits> {
  const [row] = await db.query<Record<keyof StoredLimits, string | null>>(
    'select ceiling, budget from fee_limits where chain = $1',
    [chain],
  )
  const whole = (text: string | null | undefined) => (text ? BigInt(text) : null)
  return { ceiling: whole(row?.ceiling), budget: whole(row?.budget) }
}

/**
 * The lower of the settings of this process and of the operator's row. A process that can write the row can
 * only lower a limit: the treasury holds to its own settings.
 */
export async function feeLimits(
  db: Queryable,
  { name, maxFee, feeBudget = null }: FeeSettings,
): Promise<FeeLimits> {
  const stored = await storedLimits(db, name)
  return { ceiling: lower(maxFee, stored.ceiling) ?? maxFee, budget: lower(feeBudget, stored.budget) }
}

const lower = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null || (b !== null && b < a) ? b : a

export const budgetHours = 24

/**
 * The maximum fees of what the treasury has signed on a chain within 24 hours. Of the transactions of one
 * intent only one can be mined: the highest counts. From the treasury's own record, to which no other process
 * adds.
 * @param except an intent that does not count
 */
export async function feesSigned(
  db: Queryable,
  chain: string,
  except: string | null = null,
): Promise<bigint> {
  const [row] = await db.query<{ sum: string }>(
    `select coalesce(sum(fee), 0) as sum from (
       select max(max_fee) as fee from treasury_signatures
       where chain = $1 and signed_at > now() - $2 * interval '1 hour' and max_fee is not null and intent_id is distinct from $3 group by intent_id) each`,
    [chain, budgetHours, except],
  )
  return BigInt(row?.sum ?? 0)
}

/** The limit that keeps an intent's transaction from being signed. */
export type FeeStop = 'ceiling' | 'budget'

/**
 * @param fee the maximum that the transaction may pay
 * @returns null if it may be signed
 */
export async function feeStop(
  db: Queryable,
  chain: FeeSettings,
  intentId: string,
  fee: bigint,
): Promise<FeeStop | null> {
  const { ceiling, budget } = await feeLimits(db, chain)
  if (fee > ceiling) return 'ceiling'
  return budget !== null && (await feesSigned(db, chain.name, intentId)) + fee > budget ? 'budget' : null
}

/** Lets one signature of a chain at a time read and use its budget, so that two do not both take the rest. */
export const lockBudget = (tx: Tx, chain: string) =>
  tx.query("select pg_advisory_xact_lock(hashtextextended('cowry fee budget ' || $1, 0))", [chain])
