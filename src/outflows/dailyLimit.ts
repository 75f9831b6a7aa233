import type { Queryable, Tx } from '../platform/database/db.ts'
import type { TreasuryChain } from '../txmgr/intents.ts'

/** An asset of a chain, as intents name it. */
export interface PaidAsset {
  symbol: string
  /** Null for the native coin. */
  contract: string | null
}

type LimitedChain = Pick<TreasuryChain, 'name' | 'dailyLimits'>

/** The maximum of an asset that the treasury sends within 24 hours, in base units; null: no limit was set. */
export const dailyLimit = (
  { dailyLimits }: LimitedChain,
  { symbol }: Pick<PaidAsset, 'symbol'>,
): bigint | null => dailyLimits?.get(symbol) ?? null

/**
 * What the treasury has signed of an asset within 24 hours, by its own record, to which no other process
 * adds.
 * @param except an intent that does not count
 */
export async function sentToday(
  db: Queryable,
  chain: string,
  { contract }: Pick<PaidAsset, 'contract'>,
  except: string | null = null,
): Promise<bigint> {
  const [row] = await db.query<{ sum: string }>(
    `select coalesce(sum(amount), 0) as sum from intents
     where purpose = 'payout' and chain = $1 and contract is not distinct from $2 and id is distinct from $3 and id in (
       select intent_id from treasury_signatures where chain = $1 and signed_at > now() - interval '24 hours')`,
    [chain, contract, except],
  )
  return BigInt(row?.sum ?? 0)
}

/** The same of every chain and asset. */
export const allSentToday = (db: Queryable): Promise<{ chain: string; symbol: string; sum: string }[]> =>
  db.query(
    `select chain, symbol, sum(amount)::text as sum from intents
     where purpose = 'payout' and id in (select intent_id from treasury_signatures where signed_at > now() - interval '24 hours') group by 1, 2`,
  )

/**
 * Lets one payout of an asset at a time use what is left of float and limit, so that two do not both take the
 * rest.
 */
export const lockAsset = (tx: Tx, chain: string, { symbol }: Pick<PaidAsset, 'symbol'>) =>
  tx.query("select pg_advisory_xact_lock(hashtextextended('cowry payouts ' || $1 || ' ' || $2, 0))", [
    chain,
    symbol,
  ])

/** The treasury's refusal, which ends with the day. */
export const dailyLimitReached = (chain: string, { symbol }: Pick<PaidAsset, 'symbol'>): string =>
  `the daily limit of ${symbol} on ${chain} is reached`

export const isDailyLimit = (message: string | null): boolean =>
  message?.startsWith('the daily limit of ') ?? false
