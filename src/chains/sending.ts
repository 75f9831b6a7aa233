import type { Secret } from '../platform/secrets.ts'
import type { Memo } from './chain.ts'

/** The ports for what leaves an address: balances, and the one transaction that carries a transfer. */

/** A token contract's own account of itself may be anything: whoever reads it says so in `problem`. */
export interface TokenBalance {
  /** Normal form of the family. */
  contract: string
  /** As the token names itself; null where it does not, or not in a form that can be shown. */
  symbol: string | null
  /** Null where it cannot be told. */
  decimals: number | null
  /** Base units; null where it cannot be told. */
  balance: bigint | null
  /** What is wrong with the token; null where nothing is. Stable. */
  problem: TokenProblem | null
}

/**
 * `not_a_token`: nothing at the address, or no token. `unreadable`: it reverts, runs out of gas, or answers what is no balance.
 * `no_decimals`: a balance without a unit. `bad_symbol`: only the name is missing, empty, too long or unprintable; the rest holds.
 */
export type TokenProblem = 'not_a_token' | 'unreadable' | 'no_decimals' | 'bad_symbol'

export interface AddressBalances {
  /** Base units of the native coin; 0 for an address that the chain has never seen. */
  native: bigint
  /** In the order of the contracts that were asked for. */
  tokens: TokenBalance[]
}

export interface BalanceReader {
  /**
   * @param address normal form
   * @param contracts normal forms
   * @throws ProviderError
   */
  balances(address: string, contracts: readonly string[]): Promise<AddressBalances>
}

/** A transfer, as it is wanted. */
export interface TransferIntent {
  /** Normal form. */
  from: string
  /** Normal form. */
  to: string
  /** Null for the native coin. */
  token: { contract: string; symbol: string; decimals: number } | null
  /** Base units; more than zero. */
  amount: bigint
  /** Stellar alone has one. */
  memo: Memo | null
  /** EVM alone has them: wei of all fees for one unit of gas, and the most gas. */
  gasPrice: bigint | null
  gasLimit: bigint | null
}

/**
 * What a transaction needs besides the intent and its sequence, as the chain was asked for it: fees, limits, a recent block. Kept as
 * JSON beside the intent, so that whoever signs needs no node; whole numbers that may be large are decimal strings. Each family has its
 * own, and only it reads them.
 */
export type Terms = Readonly<Record<string, string | number | boolean | null>>

/** Something that the sender lacks. */
export interface Shortage {
  /** `token`: of what is sent. `native`: of the coin that fees, and whatever else the transfer costs, are paid in. */
  kind: 'token' | 'native'
  symbol: string
  decimals: number
  /** Base units. */
  required: bigint
  available: bigint
}

export interface TransferPlan {
  terms: Terms
  /** Base units of the native coin: what the fee will probably be, and what it can be at most. */
  fee: { expected: bigint; max: bigint }
  /** Native coin that the transfer takes besides fee and amount: rent of an account that it opens, Tron's fee for a new account. */
  besides: bigint
  /** Empty where the sender can pay for it all, the most the fee can be included. */
  shortages: readonly Shortage[]
}

/** Reasons for which the chain would not carry a transfer out as asked, or would and should not. Stable: they are the API's `error`. */
export type RefusalReason =
  /** The recipient is a contract of a token, or what stands for one: nobody could ever move what is sent there. */
  | 'recipient_is_token'
  /** Stellar, Solana: the recipient cannot hold the token. */
  | 'recipient_without_trustline'
  /** The recipient does not exist and this transfer cannot create it. */
  | 'recipient_not_found'
  /** The recipient takes no payment without a memo (SEP-29). */
  | 'memo_required'
  /** Too little to open or to leave an account with. */
  | 'below_minimum_balance'
  /** The sender's account does not exist, or holds no such token. */
  | 'sender_not_found'
  /** A frozen or blacklisted account, a paused token, or whatever else the chain's own trial run says. */
  | 'simulation_failed'
  /** `gasPrice` or `gasLimit` of the caller are less than the transaction takes. */
  | 'fee_too_low'

/** The transfer cannot be made. Nothing was sent. */
export class TransferRefused extends Error {
  readonly reason: RefusalReason
  /** The field of the request that it is about, where it is about one. */
  readonly field: string | null
  constructor(reason: RefusalReason, message: string, field: string | null = null) {
    super(message)
    this.name = 'TransferRefused'
    this.reason = reason
    this.field = field
  }
}

/** When a signed transaction can no longer enter a block; null: never by itself. */
export type Expiry = { blockHeight: bigint } | { time: Date } | null

export interface SignedTransaction {
  /** As `transactionId` of the family writes it. */
  txId: string
  /** What is broadcast: the same bytes may be sent any number of times. */
  bytes: Uint8Array
  expiry: Expiry
}

export interface UnsignedTransaction {
  /**
   * `evm`: the serialised EIP-1559 transaction in hex (0x02…). `solana`: the whole transaction with empty signatures in base64.
   * `tron`: the JSON of java-tron (`txID`, `raw_data`, `raw_data_hex`), as tronweb signs it. `stellar`: the transaction's envelope in base64 XDR.
   */
  payload: string
  encoding: 'hex' | 'base64' | 'json'
  /** The bytes that are signed, in hex: a digest (EVM, Tron, Stellar), on Solana the whole message. */
  signing: string
}

/** Builds and signs; asks nobody. The transaction follows from intent, terms and sequence alone, always the same. */
export interface TransferBuilder {
  unsigned(intent: TransferIntent, terms: Terms, sequence: bigint | null): UnsignedTransaction
  /** @param privateKey as `WalletKeys.parse` gave it. @throws when it is not the key of `intent.from` */
  sign(intent: TransferIntent, terms: Terms, sequence: bigint | null, privateKey: Secret): SignedTransaction
  /**
   * What somebody else signed, if it is `unsigned` of the same and the signature is of `intent.from`; else why not, in words.
   * @param payload in the encoding of `unsigned`, with its signature; on EVM a signed transaction in hex, on Tron the JSON with `signature`
   */
  accept(intent: TransferIntent, terms: Terms, sequence: bigint | null, payload: string): SignedTransaction | { refused: string }
  /** Base units of the native coin that the fee can be at most under these terms, rent and the like included. */
  maxFee(terms: Terms): bigint
  /** Terms that replace these at the same sequence, dearer by enough that nodes take them. Only where the chain has that (EVM). */
  dearer?(terms: Terms): Terms
}

/**
 * What the network said to signed bytes. `accepted` also where it knew them. `busy`: not now, nothing is wrong with them.
 * `sequence_used`: the sequence was consumed in a block. `sequence_taken`: something else waits with it. `expired`: too late.
 * `refused`: they are wrong, and were taken by nobody. Whatever is not plainly one of these is a ProviderError: nobody knows then.
 */
export interface Broadcast {
  status: 'accepted' | 'busy' | 'sequence_used' | 'sequence_taken' | 'expired' | 'refused'
  /** In the node's words; null where it had none. Never the bytes, never an URL. */
  message: string | null
}

/** One signed transaction of a transfer. Those of one transfer on EVM share their sequence, unless one was given up because its own was used. */
export interface SentTransaction {
  txId: string
  sequence: bigint | null
  expiry: Expiry
}

/**
 * What became of a transfer's transactions, as the chain says now.
 * `absent`: in no block, and may still come. `included`: one is in a block. `gone`: none is and none can come: its sequence was used
 * by another transaction, or its time is over; `standing` tells how deep the block is that says so.
 */
export type Outcome =
  | { status: 'absent' }
  | {
      status: 'included'
      txId: string
      succeeded: boolean
      /** Why it failed, in the chain's words; null where it succeeded or nobody says. */
      reason: string | null
      blockHeight: number
      blockId: string
      /** How deep: in a block; as deep as the chain's rule of confirmation asks for; final. */
      standing: 'seen' | 'confirmed' | 'final'
      /** Base units of the native coin; null where it is not told yet. */
      fee: bigint | null
      /** EVM alone. */
      gasUsed: bigint | null
    }
  | { status: 'gone'; reason: 'sequence_used' | 'expired'; standing: 'seen' | 'confirmed' | 'final' }

/** What an address has in the newest block: all of one block, in which what waits is not. */
export interface Holdings {
  /** The sequences below this one are used. */
  used: bigint
  /** Base units. */
  native: bigint
  /** Of the token that was asked about; null where none was, or its balance cannot be told. */
  token: bigint | null
}

/** Asks and tells the network. Every method may throw ProviderError. */
export interface TransferSender {
  /**
   * Whether the transfer can be made now, and on what terms.
   * @throws TransferRefused with the first reason why not; what the sender lacks is a shortage, not a refusal
   */
  plan(intent: TransferIntent): Promise<TransferPlan>
  /** The next sequence of an address, behind all that the chain knows of, waiting ones included. Only where transactions have one (EVM, Stellar). */
  nextSequence?(address: string): Promise<bigint>
  /** Null where no node tells. Only where transactions of one address may wait behind one another (EVM). */
  holdings?(of: Pick<TransferIntent, 'from' | 'token'>): Promise<Holdings | null>
  /**
   * Sends the same bytes to the chain: the first time or again. Where one provider's answer is not known and another one refuses, nobody
   * knows: ProviderError.
   */
  broadcast(transaction: SignedTransaction): Promise<Broadcast>
  /**
   * What became of these. `gone` is said only where every provider that answers says so of a chain that it has read far enough.
   * @param from normal form of their sender
   */
  outcome(from: string, transactions: readonly SentTransaction[]): Promise<Outcome>
}

/** What is done with the addresses of a chain, besides reading its blocks. */
export interface ChainAccounts {
  balances: BalanceReader
  sender: TransferSender
}
