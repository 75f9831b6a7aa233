import { formatUnits } from '../money/amount.ts'
import type { Queryable, Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { dayAgo } from '../platform/ids.ts'
import type { CoinPrices } from '../pricing/coinPrices.ts'
import { dollarsOf, inDollars, type Taken } from '../pricing/dollars.ts'
import { lockPayoutLimits, readPayoutLimits } from './payoutLimitSettings.ts'
import { limitNames, type PayoutLimit, type PayoutLimits } from './payoutLimits.ts'

export interface LimitsContext {
  coinUsd: CoinPrices
}

interface ExceededLimit {
  limit: 'maxPerPayout' | 'maxPerDay'
  message: string
}

interface Compared {
  exceeded: ExceededLimit | null
  /** A second owner must approve it. */
  approval: boolean
}

/**
 * Enforces a business's limits on a payout or refund that a caller requests. The lock lasts until the
 * transaction ends, which must store the outflow, so that concurrent ones cannot exceed a limit together.
 * @returns whether a second owner must approve it
 * @throws ApiError 403 `limit_exceeded` naming `amount`
 */
export async function requireWithinPayoutLimits(
  ctx: LimitsContext,
  tx: Tx,
  businessId: string,
  taken: Taken,
): Promise<{ approval: boolean }> {
  await lockPayoutLimits(tx, businessId)
  const { exceeded, approval } = await compareWithLimits(ctx, tx, businessId, taken)
  if (exceeded)
    throw new ApiError(403, 'limit_exceeded', `amount: ${exceeded.message}`, {
      fields: [{ field: 'amount', message: exceeded.message }],
    })
  return { approval }
}

/**
 * The limit that an outflow would exceed. Locks the limits until the transaction ends.
 * @param id the outflow, which does not count twice
 */
export async function exceededLimit(
  ctx: LimitsContext,
  tx: Tx,
  businessId: string,
  taken: Taken,
  id: string | null = null,
): Promise<ExceededLimit | null> {
  await lockPayoutLimits(tx, businessId)
  return (await compareWithLimits(ctx, tx, businessId, taken, id)).exceeded
}

/**
 * Compares an outflow with the limits of its business, and locks nothing.
 * @param id of an outflow that is stored: it does not count twice
 */
export async function compareWithLimits(
  { coinUsd }: LimitsContext,
  db: Queryable,
  businessId: string,
  taken: Taken,
  id: string | null = null,
): Promise<Compared> {
  const { exceeded, approval } = await compareManyWithLimits({ coinUsd }, db, businessId, [taken], id)
  return { exceeded: exceeded[0]?.limit ?? null, approval }
}

/** What many outflows together would exceed. */
interface ComparedTogether {
  /** By the place of the outflow; null: their total. */
  exceeded: { at: number | null; limit: ExceededLimit }[]
  /** A second owner must approve them. */
  approval: boolean
}

/**
 * The same for outflows that are requested together: each is compared with `maxPerPayout`, and their total
 * with the others.
 */
export async function compareManyWithLimits(
  { coinUsd }: LimitsContext,
  db: Queryable,
  businessId: string,
  taken: readonly Taken[],
  id: string | null = null,
): Promise<ComparedTogether> {
  const limits = await readPayoutLimits(db, businessId)
  const wanted = taken.map((each) => inDollars(coinUsd, each))
  const total = wanted.reduce<bigint>((sum, each) => sum + (each ?? 0n), 0n)
  const counted = limits.maxPerDay.value === null ? nothing : await countedInADay(coinUsd, db, businessId, id)
  // Otherwise many small ones would pass under the amount.
  const alone =
    limits.approvalAbove.value === null ? nothing : await sentAloneInADay(coinUsd, db, businessId, id)
  // An amount without a price may be above any limit: a person decides.
  const isUnsure =
    !counted.isWhole || (wanted.includes(null) && limitNames.some((name) => limits[name].value !== null))
  const approval = isUnsure || isAbove(alone.priced + total, limits.approvalAbove)
  const tooLarge = wanted.flatMap((each, at) => {
    const limit = exceededAtOnce(each ?? 0n, limits)
    return limit ? [{ at, limit }] : []
  })
  const inADay = exceededInADay(total, counted.priced, limits)
  return { exceeded: [...tooLarge, ...(inADay ? [{ at: null, limit: inADay }] : [])], approval }
}

const exceededAtOnce = (wanted: bigint, { maxPerPayout }: PayoutLimits): ExceededLimit | null =>
  isAbove(wanted, maxPerPayout)
    ? { limit: 'maxPerPayout', message: `at most ${maxPerPayout.value} US dollars at once (maxPerPayout)` }
    : null

function exceededInADay(wanted: bigint, counted: bigint, { maxPerDay }: PayoutLimits): ExceededLimit | null {
  if (!isAbove(counted + wanted, maxPerDay)) return null
  const message = `at most ${maxPerDay.value} US dollars within 24 hours, and ${formatUnits(counted, 18)} of them are used (maxPerDay)`
  return { limit: 'maxPerDay', message }
}

const isAbove = (amount: bigint, { value }: PayoutLimit): boolean =>
  value !== null && amount > dollarsOf(value)

/** In dollars. `isWhole` is false where an amount without a price is left out. */
interface Counted {
  priced: bigint
  isWhole: boolean
}
const nothing: Counted = { priced: 0n, isWhole: true }

/**
 * SQL: outflows of the business $1 but for $2 that were requested or completed in the last 24 hours, and all
 * that are open, of any age. What failed, was cancelled or was returned does not count.
 */
const countedSql = `business_id = $1 and id is distinct from $2 and counted_at is not null and status not in ('failed', 'cancelled', 'returned')
  and (greatest(counted_at, completed_at) > now() - interval '24 hours' or status not in ('completed', 'failed', 'cancelled', 'returned'))`

/** What counts for `maxPerDay`. */
const countedInADay = (
  coinUsd: CoinPrices,
  db: Queryable,
  businessId: string,
  except: string | null,
): Promise<Counted> =>
  sumOf(
    coinUsd,
    db,
    `select chain, token, sum(amount)::text as sum from outflows where ${countedSql} group by chain, token`,
    [businessId, except],
  )

/**
 * What a business takes within a day without an approval: payouts, refunds, and transfers and bridge
 * transfers from stored wallets. Automatic payouts are left out: their target was approved.
 */
const sentAloneInADay = (
  coinUsd: CoinPrices,
  db: Queryable,
  businessId: string,
  except: string | null,
): Promise<Counted> =>
  sumOf(
    coinUsd,
    db,
    `select chain, token, sum(amount)::text as sum from (
       select chain, token, amount from outflows where ${countedSql} and not needs_approval and not automatic
       union all
       select chain, symbol, amount from intents
       where business_id = $1 and purpose = 'transfer' and signer = 'wallet' and not needs_approval and status not in ('failed', 'expired')
         and (next_reconcile_at is not null or id > ${dayAgo})
       union all
       select chain, s->'token'->>'symbol', (s->>'amount')::numeric from intents, jsonb_array_elements(spends) s
       where business_id = $1 and purpose = 'bridge-burn' and s->>'address' = from_address and not needs_approval
         and status not in ('failed', 'expired') and (next_reconcile_at is not null or id > ${dayAgo})
     ) sent group by chain, token`,
    [businessId, except],
  )

async function sumOf(coinUsd: CoinPrices, db: Queryable, sql: string, values: unknown[]): Promise<Counted> {
  const rows = await db.query<{ chain: string; token: string; sum: string }>(sql, values)
  const amounts = rows.map(({ chain, token, sum }) =>
    inDollars(coinUsd, { chain, token, amount: BigInt(sum) }),
  )
  return {
    priced: amounts.reduce<bigint>((all, each) => all + (each ?? 0n), 0n),
    isWhole: !amounts.includes(null),
  }
}
