import type { Family } from '../chains/chain.ts'

/**
 * How money on deposit addresses comes to the treasury. `sweep`: by a transaction for each address. `direct`:
 * the deposit account is the treasury.
 * `none`: not yet.
 */
export type Collection = 'sweep' | 'direct' | 'none'

/** A family that is missing here has no sweep. */
const collections: Partial<Record<Family, Collection>> = {
  evm: 'sweep',
  solana: 'sweep',
  tron: 'sweep',
  stellar: 'direct',
}

export const collectionOn = ({ family }: { family: Family }): Collection => collections[family] ?? 'none'
