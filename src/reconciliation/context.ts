import type { ConfiguredChain } from '../chains/registry.ts'
import type { BalanceReader } from '../chains/sending.ts'
import type { Db } from '../platform/database/db.ts'

export interface CheckContext {
  db: Db
  chain: ConfiguredChain
  balances: BalanceReader
  /** Between two reads of an address that differs. */
  pauseMs: number
  signal: AbortSignal
}

/** A difference between books and chain that stayed. */
export interface ChainDrift {
  /** Null: money in the books of the chain's deposits that no address has. */
  address: string | null
  /** Of the registry. */
  symbol: string
  /** Base units. */
  expected: bigint
  found: bigint
}

/** The platform's addresses that are no deposit addresses. */
export interface OwnAddresses {
  treasury: string
  /** Null: the chain has no stakes. */
  staking: string | null
}
