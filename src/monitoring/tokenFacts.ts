import type { ChainAccounts } from '../chains/chainAccounts.ts'
import type { Queryable } from '../platform/database/db.ts'

/** Facts that an unknown token's contract reports about itself; null if unusable. */
export interface TokenFacts {
  symbol: string | null
  decimals: number | null
}

export interface TokenReadContext {
  db: Queryable
  /** For a configured chain. */
  accountsOf(chain: string): Promise<Pick<ChainAccounts, 'balances'>>
}

/**
 * Reads and stores the facts of tokens that are not stored yet. A token without usable facts is read again
 * after a day: the node may have been behind.
 * @param contracts normal forms
 * @throws ProviderError if the chain cannot be read
 */
export async function learnTokens(
  ctx: TokenReadContext,
  chain: string,
  contracts: readonly string[],
): Promise<void> {
  const kept = await ctx.db.query<{ contract: string }>(
    "select contract from token_facts where chain = $1 and contract = any($2::text[]) and (problem is null or read_at > now() - interval '1 day')",
    [chain, contracts],
  )
  const known = new Set(kept.map(({ contract }) => contract))
  const unknown = [...new Set(contracts)].filter((contract) => !known.has(contract))
  const [first] = unknown
  if (first === undefined) return
  const { balances } = await ctx.accountsOf(chain)
  const { tokens } = await balances.balances(holderOf(first), unknown)
  await ctx.db.query(
    `insert into token_facts (chain, contract, symbol, decimals, problem)
     select $1, contract, symbol, decimals, problem from unnest($2::text[], $3::text[], $4::integer[], $5::text[]) as t(contract, symbol, decimals, problem)
     on conflict (chain, contract) do update set symbol = excluded.symbol, decimals = excluded.decimals, problem = excluded.problem, read_at = now()`,
    [
      chain,
      tokens.map(({ contract }) => contract),
      tokens.map(({ symbol }) => symbol),
      tokens.map(({ decimals }) => decimals),
      tokens.map(({ problem }) => problem),
    ],
  )
}

/**
 * The holder whose balance is read: an account that exists and holds little. A Stellar token is
 * `CODE:ISSUER`.
 */
const holderOf = (contract: string): string => contract.split(':')[1] ?? contract

/** Stored facts, by contract. */
export async function readTokenFacts(
  db: Queryable,
  chain: string,
  contracts: readonly string[],
): Promise<Map<string, TokenFacts>> {
  const rows = await db.query<TokenFacts & { contract: string }>(
    'select contract, symbol, decimals from token_facts where chain = $1 and contract = any($2::text[])',
    [chain, contracts],
  )
  return new Map(rows.map(({ contract, ...facts }) => [contract, facts]))
}
