/** The ports of a chain family. A capability asks for the narrowest of them. */

export type Family = 'evm' | 'solana' | 'tron' | 'stellar'

/**
 * A movement that a block caused: on EVM and Tron one log or one native value transfer, on Solana the net gain or loss of one owner in
 * one token in one transaction, on Stellar what one operation brought to one address of one asset, or took from it.
 */
export interface Transfer {
  /** Of what a block moves by itself, the block's id: on EVM the withdrawals of validators. */
  txId: string
  /**
   * Names the movement within its transaction. EVM: `log:n` (index in the block), `native`, of an internal call `trace:from:to:amount:n` (its place among those alike). Tron: the same,
   * `n` being the index in the transaction. Solana: `owner:mint`, `owner:native`. Stellar: `op:n:address:asset`. Of a loss that no
   * single gain tells, on these two: the same with `:out` behind it. Of a withdrawal: `withdrawal:n` (its index in the chain).
   */
  movementKey: string
  /** The token in the family's normal form: its contract, its mint, its `CODE:ISSUER`; null for the native coin. */
  contract: string | null
  /** Normal form of the family. */
  from: string
  to: string
  /** Base units; more than zero. */
  amount: bigint
  /** What its sender wrote to it, on chains that have that. */
  memo?: Memo
  /** It is only what came to `to`, or only what left `from`: who is on its other side is a guess, and is told by movements of its own. */
  only?: 'in' | 'out'
  /** The provider did not tell whether the transaction succeeded: ask `BlockReader.succeeded` before it counts. */
  unproven?: true
  /** The provider that told it, where that is not the block's. */
  source?: string
}

export type MemoType = 'text' | 'id' | 'hash' | 'return'

export interface Memo {
  type: MemoType
  /** Text as it was written, an id in decimal, a hash in hex. */
  value: string
}

/**
 * A block, or on Solana a slot: its height is the slot's number. A slot that its leader skipped has a header of its own, whose id
 * names the block before it, so that every height has one header and each is its successor's parent.
 */
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
  /** Who may have been paid, or have paid, in the native coin, where amounts of it were not read: the block must be read by itself if one matters. */
  unread?: readonly string[]
}

/** A transfer that another provider is asked about. `side`: the one that is watched, so that every movement there is known; `to` unless it says so. */
export interface CheckedTransfer extends Transfer {
  side?: 'to' | 'from' | 'both'
}

/** How far a chain is by one provider. */
export interface ProviderTip {
  source: string
  /** The height of its newest block. */
  head: number
  /** The newest block that it calls finalized; null where it does not tell that; undefined where it could not say just now. */
  finalized: BlockHeader | null | undefined
}

/** What the other providers say about a block and its transfers: `disagrees` where some have a block at its height and none told all alike. */
export type CrossCheckVerdict = 'agrees' | 'disagrees' | 'has it not' | 'cannot say'

export interface CrossCheck {
  said: CrossCheckVerdict
  /** Those of the transfers that one of them told alike. */
  found: readonly CheckedTransfer[]
}

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
  /** How far each provider is that answers. */
  tips(): Promise<ProviderTip[]>
  /**
   * The header at a height, or null where the chain has none (yet).
   * @param source the only provider that is asked
   */
  header(height: number, source?: string): Promise<BlockHeader | null>
  /** The whole block, or null where the chain has none (yet). Never a part of one. */
  block(height: number): Promise<Block | null>
  /**
   * Blocks that are too deep for a fork, with less to transfer: their tokens' movements, and who may have been on either side of one in
   * the native coin (`unread`). Not `traced` where that takes a call of its own. Those from the first on that could be read now: perhaps not
   * all, but one at least.
   */
  blocks(from: number, to: number): Promise<Block[]>
  /** A block with its internal transfers only, for where it was read without them. Only where traces are how they are found. */
  internal?(height: number): Promise<Block>
  /** Of these transactions of one block, those that succeeded. Only where transfers may be `unproven`. */
  succeeded?(block: Pick<BlockHeader, 'height' | 'id'>, txIds: readonly string[]): Promise<Set<string>>
  /**
   * Asks the providers other than `source` for the block, and which of these transfers it holds: all of the asset that came to the
   * recipient, or left the sender, of each whose `side` that is. Reads it once at each, until all were found.
   */
  crossCheck(block: Pick<BlockHeader, 'height' | 'id'> & { source: string }, transfers: readonly CheckedTransfer[]): Promise<CrossCheck>
  /** Balances of the native coin after a block, in the order of the addresses. Only where they are how internal transfers are found. */
  balances?(addresses: readonly string[], height: number): Promise<bigint[]>
  /** What is known of a transaction; null where no provider knows it. */
  transaction(txId: string): Promise<TransactionFacts | null>
  /** Makes sure, now, that the providers are of this chain. @throws ProviderError when none is */
  verify(): Promise<void>
  /** The providers, in the order of the configuration. */
  readonly sources: readonly string[]
  /** What a provider tells does not fit what others have: it is not asked for a while, and less after that. */
  doubt(source: string): void
  /** How internal transfers of the native coin are found, once the providers were asked; null before. */
  readonly internalMethod: InternalMethod | null
}

/**
 * `events`: the chain's own log of native movements. `included`: every block tells them. `balances`: recipients' balances are
 * compared with what was seen.
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
}

export interface AddressCodec {
  /** The one form an address is stored and compared in; null when `text` is no address of the family. */
  normalise(text: string): string | null
  /** The form that is shown to people (with EIP-55 checksum on EVM). */
  display(address: string): string
  /** The bytes that are matched on: of one length for all addresses of the family, of another for a text that is none. Never throws. */
  bytes(address: string): Uint8Array
  /** How a customer is told to pay there, where the address alone is not enough. */
  payment?(address: string): PaymentAddress
  /** The account that several addresses share; null where it is the address itself. Only in families that have such addresses. */
  account?(address: string): string | null
  /** Whether the address says by itself that it is a contract's: no account and no key stand behind it. Only in families where it does. */
  isContract?(address: string): boolean
}

/** An address that shares its account with others. */
export interface PaymentAddress {
  /** Of the account. */
  address: string
  memo: string
  memoType: MemoType
  /** Address and memo in one, for wallets that know this form. */
  muxedAddress: string
}

/** No provider could answer, or none gave an answer that holds together. Retry later. */
export class ProviderError extends Error {}

/**
 * A block holds something that this program does not know. Retrying helps only after an update, or where another node tells it otherwise; to leave the block out
 * would be to leave out payments.
 */
export class UnreadableBlockError extends ProviderError {}
