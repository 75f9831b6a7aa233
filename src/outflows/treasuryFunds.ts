import type { Asset, ConfiguredChain } from '../chains/registry.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { lowWater } from '../sweeps/floats.ts'
import type { OutflowsContext } from './context.ts'
import { dailyLimit, sentToday } from './dailyLimit.ts'

/** What the treasury's address holds, read before the transaction that uses it. Base units. */
export interface ReadFunds {
  /** Of the asset. */
  held: bigint
  /** Native coin that it can spend. */
  native: bigint
  /** Payouts that may be in a block or not, as they were before the balance was read. */
  open: readonly string[]
}

type Held = Pick<ReadFunds, 'held' | 'native'>

/** @throws ProviderError */
export async function readFunds(
  ctx: Pick<OutflowsContext, 'accountsOf'>,
  { chain, asset }: { chain: ConfiguredChain; asset: Asset },
  treasury: string,
): Promise<Held> {
  const { balances } = await ctx.accountsOf(chain.name)
  const [native = 0n] = await balances.spendable([treasury])
  if (asset.contract === null) return { held: native, native }
  const { tokens } = await balances.balances(treasury, [asset.contract])
  return { held: tokens[0]?.sendable ?? tokens[0]?.balance ?? 0n, native }
}

/** SQL: an intent that has not left what the treasury holds, as far as is known. */
const isOpen =
  "status not in ('confirmed', 'failed', 'expired') and block_height is null and next_reconcile_at is not null"

/** Intents of outflows of an asset whose amounts a balance may still have. */
export async function openIntents(
  db: Queryable,
  chain: string,
  { contract }: Pick<Asset, 'contract'>,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from intents where business_id is null and purpose = 'payout' and chain = $1 and contract is not distinct from $2 and ${isOpen}`,
    [chain, contract],
  )
  return rows.map(({ id }) => id)
}

export type FundsWait = 'float_low' | 'treasury_gas_low' | 'daily_limit'

/**
 * Why the treasury does not send an amount now; null if it can. Its native coin stays above the low water, so
 * that what is left pays what is under way. The caller has locked the asset.
 */
export async function fundsWait(
  tx: Tx,
  chain: ConfiguredChain,
  asset: Asset,
  amount: bigint,
  funds: ReadFunds,
): Promise<FundsWait | null> {
  const limit = dailyLimit(chain, asset)
  if (
    limit !== null &&
    (await sentToday(tx, chain.name, asset)) + (await unsigned(tx, chain.name, asset)) + amount > limit
  )
    return 'daily_limit'
  const low = await lowWater(tx, chain, chain.native.symbol)
  if (funds.native < low) return 'treasury_gas_low'
  const kept = asset.contract === null ? low : 0n
  return funds.held - (await promised(tx, chain.name, asset, funds.open)) - kept < amount ? 'float_low' : null
}

/** Payouts of an asset that were open before the balance was read, or are now. */
async function promised(
  db: Queryable,
  chain: string,
  { contract }: Asset,
  open: readonly string[],
): Promise<bigint> {
  const [row] = await db.query<{ sum: string }>(
    `select coalesce(sum(amount), 0) as sum from intents
     where business_id is null and purpose = 'payout' and chain = $1 and contract is not distinct from $2
       and (${isOpen} or (id = any($3::uuid[]) and status not in ('failed', 'expired')))`,
    [chain, contract, open],
  )
  return BigInt(row?.sum ?? 0)
}

/** Payouts of an asset that the treasury is still to sign. */
async function unsigned(db: Queryable, chain: string, { contract }: Asset): Promise<bigint> {
  const [row] = await db.query<{ sum: string }>(
    `select coalesce(sum(amount), 0) as sum from intents i
     where business_id is null and purpose = 'payout' and chain = $1 and contract is not distinct from $2 and status = 'created'
       and not exists (select 1 from treasury_signatures s where s.intent_id = i.id)`,
    [chain, contract],
  )
  return BigInt(row?.sum ?? 0)
}
