import type { Family } from './chain.ts'

/**
 * The largest amount in base units that one transfer of a token can have: SPL tokens count in a u64, Stellar in
 * an i64, contracts of EVM and TRON in a uint256.
 */
const maxima: Record<Family, bigint> = {
  evm: 2n ** 256n - 1n,
  tron: 2n ** 256n - 1n,
  solana: 2n ** 64n - 1n,
  stellar: 2n ** 63n - 1n,
}

export const maxUnits = (family: Family): bigint => maxima[family]
