import type { SolanaSwapping } from './solanaSwapping.ts'

/**
 * What a family of chains offers to the capability of swaps: reads, and trial runs of calls that are not sent. A family knows no
 * provider of swaps; a provider knows no family's code but these ports.
 */
export type ChainSwapping = EvmSwapping | SolanaSwapping

export interface EvmSwapping {
  family: 'evm'
}
