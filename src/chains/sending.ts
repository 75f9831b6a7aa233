import { BaseError, type Retry } from '../platform/errors.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Action } from './action.ts'

/** Ports for sending: balances, and the transaction that carries an action. */

/** As the token contract reports itself, which may be anything: `problem` has what is wrong. */
export interface TokenBalance {
  /** Normal form of the family. */
  contract: string
  /** As the token names itself; null without a name that can be shown. */
  symbol: string | null
  /** Null if unknown. */
  decimals: number | null
  /** Base units; null if unknown. */
  balance: bigint | null
  /** Base units that one transfer can send, where that is less than the balance. Only on Solana. */
  sendable?: bigint
  /** Base units in the account that a sweep empties, where the address has more in others. Only on Solana. */
  sweepable?: bigint
  /** Null if the token is sound. Stable. */
  problem: TokenProblem | null
}

/**
 * `not_a_token`: nothing at the address, or not a token. `unreadable`: it reverts, runs out of gas, or its
 * answer is not a balance.
 * `no_decimals`: a balance without a unit. `bad_symbol`: only the name is missing, empty, too long or
 * unprintable.
 */
export type TokenProblem = 'not_a_token' | 'unreadable' | 'no_decimals' | 'bad_symbol'

export interface AddressBalances {
  /** Base units of the native coin; 0 for an address that the chain has never seen. */
  native: bigint
  /** In the order of the contracts that were requested. */
  tokens: TokenBalance[]
}

export interface BalanceReader {
  /**
   * @param address normal form
   * @param contracts normal forms
   * @throws ProviderError
   */
  balances(address: string, contracts: readonly string[]): Promise<AddressBalances>
  /**
   * Balances after a past block; null where no provider keeps its state. Absent where nodes of the family
   * answer no such request.
   * @param address normal form
   * @param contracts normal forms
   * @throws ProviderError
   */
  balancesAt?(address: string, contracts: readonly string[], height: number): Promise<PastBalances | null>
  /**
   * Balances of many addresses, in their order. Absent where nodes answer for one address at a time.
   * @param addresses normal forms of accounts
   * @param contracts normal forms
   * @param height after this past block, on EVM alone; null: after the newest
   * @returns null where no provider keeps the state of that block
   * @throws ProviderError
   */
  many?(
    addresses: readonly string[],
    contracts: readonly string[],
    height: number | null,
  ): Promise<PastBalances[] | null>
  /**
   * Native coin that each address can spend, in their order: on Stellar without reserves and offers.
   * @param addresses normal forms of accounts; at most 200
   * @throws ProviderError
   */
  spendable(addresses: readonly string[]): Promise<bigint[]>
  /**
   * Decimals on which several providers agree, in the order of the contracts; null: not a token. Absent where
   * no swap needs them.
   * @param contracts normal forms
   * @throws ProviderError, also where they do not agree
   */
  decimals?(contracts: readonly string[]): Promise<(number | null)[]>
}

/** In base units. */
export interface PastBalances {
  native: bigint
  /** In the order of the contracts that were requested; null: the contract refused to answer. */
  tokens: (bigint | null)[]
}

/**
 * The rest of a transaction, beyond action and nonce, as the chain reported it: fees, limits, a recent block.
 * Stored as JSON with the intent, so that signing needs no node; large whole numbers are decimal strings.
 * Each family reads only its own.
 */
export type Terms = Readonly<Record<string, string | number | boolean | null>>

/**
 * The present price of a unit of gas, in base units of the native coin. Only where a higher fee replaces a
 * transaction (EVM).
 */
export interface MarketPrice {
  /** Of the next block. */
  baseFee: bigint
  /** The median priority fee of recent blocks. */
  tip: bigint
}

/**
 * How a fee stands in the market. `excluded`: the next block cannot include it. `below`: it pays less than
 * usual. `enough`: it pays the price.
 */
export type FeeStanding = 'excluded' | 'below' | 'enough'

/** Something that the sender lacks. */
export interface Shortage {
  /** `token`: what is sent. `native`: the coin that pays fees and other costs. */
  kind: 'token' | 'native'
  symbol: string
  decimals: number
  /** Base units. */
  required: bigint
  /** What one transaction can send. */
  available: bigint
  /** What the sender holds, where one transaction cannot send all of it. Only on Solana. */
  held?: bigint
}

export interface ActionPlan {
  terms: Terms
  /** Base units of the native coin. */
  fee: { expected: bigint; max: bigint }
  /**
   * Native coin on top of fee and amount: rent of an account that the action opens, Tron's fee for a new
   * account.
   */
  otherCosts: bigint
  /** Empty if the sender can pay for everything at the maximum fee. */
  shortages: readonly Shortage[]
}

/** Why the chain would refuse an action, or should. Stable: the API's `error`. */
export type RefusalReason =
  /** The recipient is the contract or mint of a token: what is sent there is lost. */
  | 'recipient_is_token'
  /** No one can sign for the recipient: what is sent there is lost. */
  | 'recipient_without_key'
  /** Stellar, Solana: the recipient cannot hold the token. */
  | 'recipient_without_trustline'
  /** The recipient does not exist and this transfer cannot create it. */
  | 'recipient_not_found'
  /** The recipient takes no payment without a memo (SEP-29). */
  | 'memo_required'
  /** The token's contract keeps a part of each transfer: the recipient would get less. */
  | 'token_takes_fee'
  /** Too little to open or to leave an account with. */
  | 'below_minimum_balance'
  /** The sender's account does not exist, or holds no such token. */
  | 'sender_not_found'
  /** The chain's trial run failed: a frozen or blacklisted account, a paused token, and the like. */
  | 'simulation_failed'
  /** `gasPrice` or `gasLimit` of the caller are less than the transaction takes. */
  | 'fee_too_low'
  /**
   * The chain cannot carry the action in one transaction (a batch or cosigners on EVM and Tron, too many
   * bytes or operations), it needs other signers, or Cowry does not sign calls of its kind. Not of transfers.
   */
  | 'unsupported_action'

/** The action cannot be carried out. Nothing was sent. Its text is shown to the caller. */
export class ActionRefusedError extends BaseError {
  readonly code: string = 'action_refused'
  readonly retry: Retry = 'no'
  readonly reason: RefusalReason
  /** The field of the request at fault, if it is one. */
  readonly field: string | null
  constructor(reason: RefusalReason, message: string, field: string | null = null) {
    super(message, { publicText: message })
    this.reason = reason
    this.field = field
  }
}

/**
 * Refused only because the recipient cannot hold the token yet, for a transfer that may wait for that.
 * It has no other fault.
 */
export class RecipientNotReadyError extends ActionRefusedError {
  override readonly code = 'recipient_not_ready'
  override readonly retry = 'yes'
  /** As if the recipient could hold it. Not to be signed. */
  readonly plan: ActionPlan
  constructor({ reason, message, field }: ActionRefusedError, plan: ActionPlan) {
    super(reason, message, field)
    this.plan = plan
  }
}

/**
 * The one key of an action without cosigners.
 * @throws Error unless it is exactly one
 */
export function onlyKey(keys: readonly Secret[]): Secret {
  const [key] = keys
  if (!key || keys.length !== 1) throw new Error('the transaction is signed with one key')
  return key
}

/** When a signed transaction becomes unminable; null: never by itself. */
export type Expiry = { blockHeight: bigint } | { time: Date } | null

export interface SignedTransaction {
  /** In the form of the family's `transactionId`. */
  txId: string
  /** May be sent any number of times. */
  bytes: Uint8Array
  expiry: Expiry
}

export interface UnsignedTransaction {
  /**
   * `evm`: the serialised EIP-1559 transaction in hex (0x02…). `solana`: the whole transaction with empty
   * signatures in base64.
   * `tron`: the JSON of java-tron (`txID`, `raw_data`, `raw_data_hex`), as tronweb signs it. `stellar`: the
   * transaction's envelope in base64 XDR.
   */
  payload: string
  encoding: 'hex' | 'base64' | 'json'
  /** The bytes that are signed, in hex: a digest (EVM, Tron, Stellar), on Solana the whole message. */
  signing: string
}

/**
 * Builds and signs without a node: the transaction follows from action, terms and nonce alone.
 * @throws ActionRefusedError `unsupported_action`, from `unsigned`, `sign` and `accept`
 */
export interface ActionBuilder {
  unsigned(action: Action, terms: Terms, nonce: bigint | null): UnsignedTransaction
  /**
   * @param keys as `WalletKeys.parse` gave them, in the order of `signersOf`. @throws when one is missing, or
   * of another address
   */
  sign(action: Action, terms: Terms, nonce: bigint | null, keys: readonly Secret[]): SignedTransaction
  /**
   * Accepts a transaction signed elsewhere if it is exactly `unsigned` of the same input, with a valid
   * signature of `from`. For actions without cosigners.
   * @returns `refused`: why not, as text
   * @param payload in the encoding of `unsigned`, with its signature; on EVM a signed transaction in hex, on
   * Tron the JSON with `signature`
   */
  accept(
    action: Action,
    terms: Terms,
    nonce: bigint | null,
    payload: string,
  ): SignedTransaction | { refused: string }
  /** The maximum fee under these terms, in base units of the native coin; includes rent and other costs. */
  maxFee(terms: Terms): bigint
  /** Lookup tables that the transaction takes accounts from. Only Solana. */
  tables?(terms: Terms): readonly string[]
  /**
   * Terms that replace these at the same nonce when the market is not known yet: both fees rise by half. Only
   * EVM.
   */
  bumpFee?(terms: Terms): Terms
  /** Replaces terms at a price that a person names. Only EVM. */
  repricing?: Repricing
  /**
   * Planned terms of another action, with a fee that replaces a transaction with the first terms at the same
   * nonce; null as for `replaceFee`. Only EVM.
   */
  replace?(replaced: Terms, planned: Terms, maxFee: bigint): Terms | null
  /**
   * Terms that replace these at the same nonce for the price of the market: by at least the step that nodes
   * require, at most up to `maxFee`. Null if that leaves no room. Only EVM, like the two below.
   * @param variant another number makes another transaction
   */
  replaceFee?(terms: Terms, market: MarketPrice, maxFee: bigint, variant: number): Terms | null
  /** Terms above `maxFee`, reduced to it; null if the next block would not include them. */
  reduceFee?(terms: Terms, market: MarketPrice, maxFee: bigint): Terms | null
  feeStanding?(terms: Terms, market: MarketPrice): FeeStanding
}

/** Prices per unit of gas, in base units of the native coin. */
export interface Repricing {
  /** The maximum that the terms pay. */
  priceOf(terms: Terms): bigint
  /** The lowest price at which nodes replace a transaction with these terms. */
  minPrice(terms: Terms): bigint
  /** Terms that replace these. @param price at least `minPrice` */
  at(terms: Terms, price: bigint): Terms
}

/**
 * The network's answer to signed bytes. `accepted`: also if it had them already. `busy`: try later.
 * `nonce_used`: a block contains the nonce.
 * `nonce_taken`: another transaction waits with it. `expired`: too late. `refused`: invalid, no node accepted
 * it. `underpriced`: the same, for its price alone; only EVM. Any other answer is a ProviderError, and the
 * outcome is unknown.
 */
export interface Broadcast {
  status: 'accepted' | 'busy' | 'nonce_used' | 'nonce_taken' | 'expired' | 'refused' | 'underpriced'
  /** The node's text, if any. Never contains the bytes or a URL. */
  message: string | null
}

/**
 * A signed transaction. Those of one action on EVM share their nonce, unless one was given up because its
 * nonce was used.
 */
export interface SentTransaction {
  txId: string
  nonce: bigint | null
  expiry: Expiry
}

/** An amount of a token that an address got in a transaction. */
export interface TokenMove {
  /** Normal form. */
  contract: string
  /** Normal form. */
  to: string
  /** Base units. */
  amount: bigint
}

/**
 * The state of an action's transactions on the chain. `absent`: in no block, may still be mined. `included`:
 * one is in a block. `unminable`: in no block, and can never be: another transaction used the
 * nonce, or they have expired. `standing`: how deep the block is that shows it. The reasons are the API's.
 */
export type Outcome =
  | { status: 'absent' }
  | {
      status: 'included'
      txId: string
      succeeded: boolean
      /** Why it failed, in the chain's terms, if known. */
      reason: string | null
      blockHeight: number
      blockId: string
      /** In a block; confirmed by the chain's rule; final. */
      standing: 'seen' | 'confirmed' | 'final'
      /** Base units of the native coin; null if not reported yet. */
      fee: bigint | null
      /** EVM only. */
      gasUsed: bigint | null
      /**
       * Solana only: by how much the sender's native coin changed, wrapped SOL with it, without the fee; null
       * if not reported yet.
       */
      nativeChange?: bigint | null
      /**
       * Tokens that it moved, by the chain's records; null if not reported yet. Absent where all that is sent
       * arrives (Stellar).
       */
      tokenMoves?: readonly TokenMove[] | null
    }
  | { status: 'unminable'; reason: 'sequence_used' | 'expired'; standing: 'seen' | 'confirmed' | 'final' }

/** The state of an address in the newest block, without waiting transactions. */
export interface Holdings {
  /** Nonces below this one are used. */
  used: bigint
  /** Base units. */
  native: bigint
  /** Balances of the tokens that were requested, by contract, as far as they are known. */
  tokens: ReadonlyMap<string, bigint>
}

/** Reads from the network and broadcasts to it. Every method may throw ProviderError. */
export interface ActionSender {
  /**
   * Plans the action under the present conditions.
   * @throws ActionRefusedError with the first reason; insufficient funds are a shortage, not a refusal
   */
  plan(action: Action): Promise<ActionPlan>
  /**
   * The next nonce of an address, after all that the chain knows, including waiting ones. Only EVM, and
   * Stellar's sequence number.
   */
  nextNonce?(address: string): Promise<bigint>
  /** Only where a higher fee replaces a transaction (EVM). */
  market?(): Promise<MarketPrice>
  /** Null if no node reports it. Only where transactions of one address can queue (EVM). */
  holdings?(address: string, contracts: readonly string[]): Promise<Holdings | null>
  /**
   * Sends bytes, for the first time or again. If one provider's answer is missing and another one refuses,
   * the outcome is unknown: ProviderError.
   */
  broadcast(transaction: SignedTransaction): Promise<Broadcast>
  /**
   * Reads the outcome. `unminable` only if every provider that answers reports it and has read the chain far
   * enough.
   * @param from normal form of their sender
   */
  outcome(from: string, transactions: readonly SentTransaction[]): Promise<Outcome>
}
