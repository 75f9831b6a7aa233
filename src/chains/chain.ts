/** The ports of a chain family. A capability asks for the narrowest of them. */

export type Family = 'evm' | 'solana' | 'tron' | 'stellar'

/** A movement that a block caused: on EVM one log or one native value transfer. */
export interface Transfer {
  txId: string
  /** Names the movement within its transaction: `log:n` (index in the block) or `native`. */
  movementKey: string
  /** The token's contract in the family's normal form; null for the native coin. */
  contract: string | null
  /** Normal form of the family. */
  from: string
  to: string
  /** Base units; more than zero. */
  amount: bigint
}

export interface BlockHeader {
  height: number
  id: string
  parentId: string
  time: Date
}

export interface Block<T extends Transfer = Transfer> extends BlockHeader {
  transfers: T[]
}

/** Reads a chain. Every method may throw `ProviderError`, after which asking again is safe. */
export interface BlockReader<T extends Transfer = Transfer> {
  /** The newest block of the best provider. */
  head(): Promise<BlockHeader>
  /** The header at a height, or null where the chain has none (yet). */
  header(height: number): Promise<BlockHeader | null>
  /** The whole block, or null where the chain has none (yet). Never a part of one. */
  block(height: number): Promise<Block<T> | null>
}

export interface DerivedAddress {
  address: string
  path: string
}

export interface KeyDeriver {
  /** The deposit address of an index under the platform's seed (64 bytes, BIP-39). */
  deriveDeposit(seed: Uint8Array, index: number): DerivedAddress
}

export interface AddressCodec {
  /** The one form an address is stored and compared in; null when `text` is no address of the family. */
  normalise(text: string): string | null
  /** The form that is shown to people (with EIP-55 checksum on EVM). */
  display(address: string): string
  /** The bytes that are matched on. */
  bytes(address: string): Uint8Array
}

/** No provider could answer, or none gave an answer that holds together. Retry later. */
export class ProviderError extends Error {}
