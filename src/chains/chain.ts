/** The ports of a chain family. A capability asks for the narrowest of them. */

export type Family = 'evm' | 'solana' | 'tron' | 'stellar'

/** A movement that a block caused: on EVM one log or one native value transfer. */
export interface Transfer {
  txId: string
  /** Names the movement within its transaction: `log:n` (index in the block), `native`, or `trace:path` of an internal call. */
  movementKey: string
  /** The token's contract in the family's normal form; null for the native coin. */
  contract: string | null
  /** Normal form of the family. */
  from: string
  to: string
  /** Base units; more than zero. */
  amount: bigint
  /** The provider did not tell whether the transaction succeeded: ask `BlockReader.succeeded` before it counts. */
  unproven?: true
}

export interface BlockHeader {
  height: number
  id: string
  parentId: string
  time: Date
}

export interface Block extends BlockHeader {
  transfers: Transfer[]
  /** The provider that gave it. */
  source: string
  /** False where internal transfers of the native coin could not be asked for: `BlockReader.internal` gives them later. */
  traced: boolean
  /** Who may have been paid in the native coin, where amounts of it were not read: the block must be read by itself if one matters. */
  unread?: readonly string[]
}

/** What another provider says about a block and its transfers. */
export type Witness = 'agrees' | 'disagrees' | 'has it not' | 'cannot say'

/** One movement of a transaction that somebody asks about; failed and empty ones included. */
export interface TransactionFacts {
  status: 'pending' | 'failed' | 'succeeded'
  /** Null while it is pending. */
  block: BlockHeader | null
  /** Movements that would count; `amount` may be zero here. Of a failed transaction: what its sender meant to send. */
  transfers: Transfer[]
  /** Whether internal transfers could be looked at. */
  traced: boolean
}

/** Reads a chain. Every method may throw `ProviderError`, after which asking again is safe. */
export interface BlockReader {
  /** The newest block of the best provider. */
  head(): Promise<BlockHeader>
  /** The newest block that the chain calls finalized; null where no provider tells. */
  finalized(): Promise<BlockHeader | null>
  /** The header at a height, or null where the chain has none (yet). */
  header(height: number): Promise<BlockHeader | null>
  /** The whole block, or null where the chain has none (yet). Never a part of one. */
  block(height: number): Promise<Block | null>
  /**
   * Blocks that are too deep for a fork, with less to transfer: their tokens' movements, and who may have been paid in the native
   * coin (`unread`). Not `traced` where that takes a call of its own. Those from the first on that could be read now: perhaps not
   * all, but one at least.
   */
  blocks(from: number, to: number): Promise<Block[]>
  /** A block with its internal transfers only, for where it was read without them. */
  internal(height: number): Promise<Block>
  /** Of these transactions of one block, those that succeeded. */
  succeeded(block: Pick<BlockHeader, 'height' | 'id'>, txIds: readonly string[]): Promise<Set<string>>
  /** Asks a provider other than `source` for the block, and whether it holds these transfers, all of those to their recipients. */
  witness(block: Pick<BlockHeader, 'height' | 'id'> & { source: string }, transfers: readonly Transfer[]): Promise<Witness>
  /** Balances of the native coin after a block, in the order of the addresses. */
  balances(addresses: readonly string[], height: number): Promise<bigint[]>
  /** What is known of a transaction; null where no provider knows it. */
  transaction(txId: string): Promise<TransactionFacts | null>
  /** Makes sure, now, that the providers are of this chain. @throws ProviderError when none is */
  verify(): Promise<void>
  /** How internal transfers of the native coin are found, once the providers were asked; null before. */
  readonly internalMethod: InternalMethod | null
}

/** `events`: the chain's own log of native movements. `balances`: recipients' balances are compared with what was seen. */
export type InternalMethod = 'traces' | 'events' | 'balances' | 'none'

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
