import type { Chain } from '../chains/registry.ts'
import type { Queryable } from '../platform/database/db.ts'
import { type Intent, readIntents } from '../txmgr/intents.ts'
import type { SwapProviderName } from './provider.ts'

/** One side of a stored swap. */
export interface StoredSide {
  /** Normal form; null: the coin. */
  token: string | null
  /** As the token names itself; null if it has no name. */
  symbol: string | null
  decimals: number
  /** Base units; of the side that is bought as quoted. */
  amount: bigint
}

export const coinSide = ({ native }: Pick<Chain, 'native'>, amount: bigint): StoredSide => ({
  token: null,
  symbol: native.symbol,
  decimals: native.decimals,
  amount,
})

/** A swap, without the course of its intents. */
export interface SwapFacts {
  /** That of its intent. */
  id: string
  businessId: string
  provider: SwapProviderName
  /** Intents that it follows, in the order of their nonces. */
  approvals: readonly string[]
  /** Normal form. */
  to: string
  sell: StoredSide
  buy: StoredSide
  minBuyAmount: bigint
  slippageBps: number
  rent: bigint | null
}

export interface StoredSwap {
  facts: SwapFacts
  intent: Intent
  approvals: readonly Intent[]
  /** A node took its transaction. */
  isTaken: boolean
}

/** Stores a swap next to its intents, in their transaction. */
export async function insertSwap(
  tx: Queryable,
  { id, businessId, sell, buy, ...facts }: SwapFacts,
): Promise<void> {
  await tx.query(
    `insert into swaps (id, business_id, provider, approvals, to_address, sell_token, sell_symbol, sell_decimals, sell_amount,
       buy_token, buy_symbol, buy_decimals, buy_amount, min_buy_amount, slippage_bps, rent)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      id,
      businessId,
      facts.provider,
      [...facts.approvals],
      facts.to,
      sell.token,
      sell.symbol,
      sell.decimals,
      String(sell.amount),
      buy.token,
      buy.symbol,
      buy.decimals,
      String(buy.amount),
      String(facts.minBuyAmount),
      facts.slippageBps,
      facts.rent === null ? null : String(facts.rent),
    ],
  )
}

interface Row {
  id: string
  provider: SwapProviderName
  approvals: string[]
  to: string
  sellToken: string | null
  sellSymbol: string | null
  sellDecimals: number
  sellAmount: string
  buyToken: string | null
  buySymbol: string | null
  buyDecimals: number
  buyAmount: string
  minBuyAmount: string
  slippageBps: number
  rent: string | null
  isTaken: boolean
}

const columns = `id, provider, approvals, to_address as "to", sell_token as "sellToken", sell_symbol as "sellSymbol", sell_decimals as "sellDecimals",
  sell_amount as "sellAmount", buy_token as "buyToken", buy_symbol as "buySymbol", buy_decimals as "buyDecimals", buy_amount as "buyAmount",
  min_buy_amount as "minBuyAmount", slippage_bps as "slippageBps", rent,
  exists (select 1 from intent_attempts t where t.intent_id = swaps.id and t.accepted_at is not null) as "isTaken"`

/** Swaps of a business with their intents, in the order of the ids; leaves out ids that are not its swaps. */
export async function readSwaps(
  db: Queryable,
  businessId: string,
  ids: readonly string[],
): Promise<StoredSwap[]> {
  const rows = await db.query<Row>(
    `select ${columns} from swaps where business_id = $1 and id = any($2::uuid[])`,
    [businessId, [...ids]],
  )
  const wanted = rows.flatMap(({ id, approvals }) => [id, ...approvals])
  const intents = await readIntents(db, 'business_id = $1 and id = any($2::uuid[])', [businessId, wanted])
  const byId = new Map(intents.map((each) => [each.id, each]))
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const [row, intent] = [found.get(id), byId.get(id)]
    if (!row || !intent) return []
    const approvals = row.approvals.flatMap((each) => byId.get(each) ?? [])
    return [{ facts: factsOf(row, businessId), intent, approvals, isTaken: row.isTaken }]
  })
}

function factsOf(row: Row, businessId: string): SwapFacts {
  const { id, provider, approvals, to, slippageBps } = row
  return {
    id,
    businessId,
    provider,
    approvals,
    to,
    slippageBps,
    sell: {
      token: row.sellToken,
      symbol: row.sellSymbol,
      decimals: row.sellDecimals,
      amount: BigInt(row.sellAmount),
    },
    buy: {
      token: row.buyToken,
      symbol: row.buySymbol,
      decimals: row.buyDecimals,
      amount: BigInt(row.buyAmount),
    },
    minBuyAmount: BigInt(row.minBuyAmount),
    rent: row.rent === null ? null : BigInt(row.rent),
  }
}
