import { BaseError, type Retry } from '../platform/errors.ts'

/** The ports of a chain family. Each capability depends on the narrowest of them. */

export type Family = 'evm' | 'solana' | 'tron' | 'stellar'

/**
 * A movement in a block: on EVM and Tron one log or one native value transfer; on Solana the net gain or loss
 * of one owner in one token in one transaction; on Stellar a gain or a loss of one address in one asset by
 * one operation.
 */
export interface Transfer {
  /** For a movement outside transactions, the block's id: validator withdrawals on EVM. */
  txId: string
  /**
   * Identifies the movement within its transaction.
   * EVM: `log:n` (index in the block), `native`, of an internal call `trace:from:to:amount:n` (its place
   * among identical ones).
   * Tron: the same, `n` being the index in the transaction.
   * Solana: `owner:mint`, `owner:native`.
   * Stellar: `op:n:address:asset`.
   * On the last two, a loss that no single gain matches has `:out` appended. Withdrawals: `withdrawal:n`
   * (index in the chain).
   */
  movementKey: string
  /**
   * The token in the family's normal form: its contract, its mint, its `CODE:ISSUER`; null for the native
   * coin.
   */
  contract: string | null
  /** Normal form of the family. */
  from: string
  to: string
  /** Base units; more than zero. */
  amount: bigint
  /** On chains with memos. */
  memo?: Memo
  /**
   * Only the gain of `to`, or only the loss of `from`: the other side is a guess, and has movements of its
   * own.
   */
  only?: 'in' | 'out'
  /**
   * The provider did not report whether the transaction succeeded: call `BlockReader.succeeded` before it
   * counts.
   */
  unproven?: true
  /** The provider that reported it, if it is not the block's. */
  source?: string
}

export type MemoType = 'text' | 'id' | 'hash' | 'return'

export interface Memo {
  type: MemoType
  /** Text as written, an id in decimal, a hash in hex. */
  value: string
}

/**
 * A block, or on Solana a slot: its height is the slot's number. A skipped slot has a header of its own,
 * whose id names the block before it. So every height has one header, and each is its successor's parent.
 */
export interface BlockHeader {
  height: number
  id: string
  parentId: string
  time: Date
}

export interface Block extends BlockHeader {
  transfers: Transfer[]
  /** The provider that returned it. */
  source: string
  /**
   * False if internal transfers of the native coin could not be read: `BlockReader.internal` returns them
   * later.
   */
  traced: boolean
  /**
   * Addresses that may have received or sent the native coin, if its amounts were not read: if one is
   * watched, read the block alone.
   */
  unread?: readonly string[]
  /**
   * The block with what is left out, from the answer that this one was read from. @throws ProviderError where
   * it cannot be read
   */
  whole?(): Block
  /** If there, `transfers` and `unread` are unpacked where they are read. */
  packed?: PackedMovements
}

/** A block's movements in the form that they were read in: only what is watched becomes objects. */
export interface PackedMovements {
  /** The transfers with a watched side. */
  matching(watches: WatchFlags): Transfer[]
  /** Whether an address of `unread` is watched. */
  touches(watches: WatchFlags): boolean
}

/**
 * May rarely find flags of an address that is not watched: the database decides which watches apply. Never
 * misses a watched one.
 */
export interface WatchFlags {
  flags(address: Uint8Array): number
  /** The flags of the address that starts at a word, in memory that holds many. */
  flagsAt(words: Uint32Array, at: number): number
}

/** A transfer to cross-check. `side`: the watched side, all of whose movements are known; `to` by default. */
export interface CheckedTransfer extends Transfer {
  side?: 'to' | 'from' | 'both'
}

/** The progress of a chain by one provider. */
export interface ProviderTip {
  source: string
  /** Height of its newest block. */
  head: number
  /**
   * The newest block that it calls finalized; null if it does not support that; undefined if the call failed.
   */
  finalized: BlockHeader | null | undefined
}

/**
 * Verdict of the other providers on a block and its transfers. `disagrees`: some have a block at its height,
 * and no provider reported all transfers the same way.
 */
export type CrossCheckVerdict = 'agrees' | 'disagrees' | 'has it not' | 'cannot say'

export interface CrossCheck {
  said: CrossCheckVerdict
  /** The transfers that one of them reported the same way. */
  found: readonly CheckedTransfer[]
}

/** A transaction by its id, failed and empty ones included. */
export interface TransactionFacts {
  status: 'pending' | 'failed' | 'succeeded'
  /** Null while it is pending. */
  block: BlockHeader | null
  /** Movements that would count; `amount` may be zero here. Of a failed transaction: the intended ones. */
  transfers: Transfer[]
  /** Internal transfers could be read. */
  traced: boolean
}

/** Reads a chain. Every method may throw `ProviderError`, and is safe to retry. */
export interface BlockReader {
  /** The newest block of the best provider. */
  head(): Promise<BlockHeader>
  /** The tips of all providers that answer. */
  tips(): Promise<ProviderTip[]>
  /**
   * The header at a height; null if the chain does not have it (yet). @param source reads from this provider
   * alone
   */
  header(height: number, source?: string): Promise<BlockHeader | null>
  /** The complete block; null if the chain does not have it (yet). */
  block(height: number): Promise<Block | null>
  /**
   * Blocks that are too deep for a reorg, with less data: token movements, and the addresses that may have
   * moved the native coin (`unread`). Not `traced` if traces take a call of their own. May return fewer
   * blocks than requested, but at least the first.
   */
  blocks(from: number, to: number): Promise<Block[]>
  /**
   * A block near the head: as `block`, or as those of `blocks` with a way to read it whole. Without it,
   * `block`.
   */
  atHead?(height: number): Promise<Block | null>
  /**
   * A block with only its internal transfers, if it was read without them. Only if traces are how they are
   * found.
   */
  internal?(height: number): Promise<Block>
  /** Those of a block's transactions that succeeded. Only if transfers may be `unproven`. */
  succeeded?(block: Pick<BlockHeader, 'height' | 'id'>, txIds: readonly string[]): Promise<Set<string>>
  /**
   * Reads from the providers other than `source` the block, and which of these transfers it holds. Compares
   * all movements of the asset to the recipient or from the sender, by each transfer's `side`. Reads the
   * block once per provider, until all were found.
   */
  crossCheck(
    block: Pick<BlockHeader, 'height' | 'id'> & { source: string },
    transfers: readonly CheckedTransfer[],
  ): Promise<CrossCheck>
  /**
   * Native balances after a block, in the order of the addresses. Only if they are how internal transfers are
   * found.
   */
  balances?(addresses: readonly string[], height: number): Promise<bigint[]>
  /** @returns null if no provider knows the transaction */
  transaction(txId: string): Promise<TransactionFacts | null>
  /** Checks again that the providers are of this chain. @throws ProviderError if no provider is */
  verify(): Promise<void>
  /** The providers, in the order of the configuration. */
  readonly sources: readonly string[]
  /** A provider's data contradicts the others': it is skipped for a while, and used less after that. */
  doubt(source: string): void
  /** The method for internal transfers of the native coin; null before the providers were surveyed. */
  readonly internalMethod: InternalMethod | null
}

/**
 * `events`: the chain's own log of native movements. `included`: part of every block. `balances`: recipients'
 * balances are compared with the known transfers.
 */
export type InternalMethod = 'traces' | 'events' | 'included' | 'balances' | 'none'

export interface DerivedAddress {
  /** Normal form of the family. */
  address: string
  path: string
}

export interface KeyDeriver {
  /** The deposit address of an index under the platform's seed (64 bytes, BIP-39). */
  deriveDeposit(seed: Uint8Array, index: number): DerivedAddress
  /** The path of the key that signs for the deposit address of an index. */
  depositKeyPath(index: number): string
  /**
   * The path of the treasury's key: account 0 of the seed, where any wallet finds it. On Stellar it is that
   * of all deposits.
   */
  readonly treasuryPath: string
  /** The path of the key of the staking address: account 2, where no other key of the platform is. */
  readonly stakingPath: string
}

export interface AddressCodec {
  /** The canonical form for storage and comparison; null if `text` is not an address of the family. */
  normalise(text: string): string | null
  /**
   * True for a text that has the form of an address and is mistyped. Absent where addresses have no checksum
   * (Solana).
   */
  hasWrongChecksum?(text: string): boolean
  /** The form that people see (with EIP-55 checksum on EVM). */
  display(address: string): string
  /**
   * The bytes to match on: of one length for all addresses of the family, of another for an invalid text.
   * Never throws.
   */
  bytes(address: string): Uint8Array
  /** Payment instructions, if the address alone is not enough. */
  payment?(address: string): PaymentAddress
  /**
   * The account that several addresses share; null if it is the address itself. Only in families with such
   * addresses.
   */
  account?(address: string): string | null
  /**
   * The address form identifies a contract: it has no account and no key. Only in families with such a form.
   */
  isContract?(address: string): boolean
}

/** An address that shares its account with others. */
export interface PaymentAddress {
  /** Of the account. */
  address: string
  memo: string
  memoType: MemoType
  /** Address and memo in one, for wallets that support this form. */
  muxedAddress: string
}

/** No provider returned a valid answer. Retry later. */
export class ProviderError extends BaseError {
  readonly code: string = 'provider_failed'
  readonly retry: Retry = 'yes'
}

/**
 * A block holds something that this version cannot read. A retry helps only after an update, or if another
 * node returns it differently. Skipping the block could skip payments.
 */
export class UnreadableBlockError extends ProviderError {
  override readonly code = 'block_unreadable'
  override readonly retry = 'no'
}
