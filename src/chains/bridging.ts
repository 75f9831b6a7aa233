import type { CallsSpec, Token } from './action.ts'
import type { BridgeMessage, BurnBody, MessageHex } from './cctpMessage.ts'
import type { Cctp, ConfiguredChain } from './registry.ts'

/**
 * Ports for Circle's bridge of USDC (CCTP v2): a burn on one chain, and a mint of the same amount on another
 * one.
 */

/** Waits for a block that may still be taken back, or for a final one (Circle's finality thresholds). */
export const finality = { fast: 1000, standard: 2000 } as const
export type BridgeSpeed = keyof typeof finality

export interface Burn {
  /** Normal form: the wallet whose USDC is burnt. */
  from: string
  token: Token
  /** Base units. */
  amount: bigint
  destinationDomain: number
  /** 32 bytes in hex: the address that is minted to. */
  mintRecipient: MessageHex
  /** The maximum that Circle may keep of the amount; less than it. */
  maxFee: bigint
  speed: BridgeSpeed
  /** `0x`: the burn has no hook. */
  hook: MessageHex
  /** Solana alone: the new account that keeps the message of the burn. Its key signs, too. */
  eventAccount?: string
}

/** A message that Circle has signed. */
export interface Signed {
  message: MessageHex
  attestation: MessageHex
  /** Solana alone: what its accounts follow from. */
  to?: { owner: string; token: Token; feeAccount: string }
}

export type BridgedChain = Pick<ConfiguredChain, 'name' | 'family' | 'network'> & { cctp: Cctp }

/** Builds what a bridge transfer sends, without a node: the treasury works it out again, byte for byte. */
export interface BridgeActions {
  /** Lets the bridge take exactly the amount. Null where a burn needs no approval. */
  approval(burn: Pick<Burn, 'from' | 'token' | 'amount'>): CallsSpec | null
  burn(burn: Burn): CallsSpec
  mint(from: string, signed: Signed): CallsSpec
  /** The account for fees that a mint names; the program refuses a wrong one. Absent on chains without it. */
  feeAccountOf?(mint: CallsSpec): string | null
  /** True where a burn keeps its message in a new account, whose key signs, too. */
  opensEventAccount?: true
  /** Returns the rent of the account of a burn's message. Absent on chains without one. */
  reclaim?(from: string, eventAccount: string, signed: Signed): CallsSpec
  /** An address in the form of messages. @param address normal form */
  wordOf(address: string): MessageHex
  /** What a burn for an owner mints to. Absent where that is the address itself. */
  recipientOf?(owner: string, token: Token): MessageHex
}

/**
 * Why a message cannot be used to mint now; null: it can. `used`: it was. `expired`: it needs another
 * signature.
 */
export type MintProblem = 'used' | 'expired' | { refused: string }

/**
 * Why the rent of an event account cannot return now; null: it can. `closed`: it has returned. `early`: less
 * than five days of the chain's time have passed.
 */
export type ReclaimProblem = 'closed' | 'early' | { refused: string }

/** A node's reads of the bridge. Every method may throw ProviderError. */
export interface BridgeReader {
  /** The least maximum fee that the contract takes for this amount. */
  minFee(amount: bigint): Promise<bigint>
  /** The maximum of one burn, in base units. */
  burnLimit(token: Token): Promise<bigint>
  /**
   * Whether the token's issuer keeps an address from receiving it: a mint to it fails for ever. Absent where
   * no such list can be read. @param address normal form
   */
  isBlocked?(token: Token, address: string): Promise<boolean>
  /** Tries a mint, without sending it. @param from pays for it */
  mintProblem(from: string, signed: Signed): Promise<MintProblem | null>
  /**
   * Where a message was used, by any sender: in the newest block, or in one that is confirmed by the chain's
   * rule.
   */
  usedIn(nonce: MessageHex): Promise<'nowhere' | 'newest' | 'confirmed'>
  /**
   * Whether providers agree that a message is not used in the newest block: before a transfer fails for good,
   * one answer is not enough.
   */
  isUnused(nonce: MessageHex): Promise<boolean>
  /** Searches for the transaction that used a message. The result is only a candidate: `mintsIn` decides. */
  findMint(nonce: MessageHex, search: MintSearch): Promise<FoundMint>
  /** Messages that a transaction has minted, as enough providers report them. */
  mintsIn(txId: string): Promise<Mints>
  /**
   * Tries a reclaim, without sending it. Absent on chains without event accounts. @param from the wallet that
   * paid the rent
   */
  reclaimProblem?(from: string, eventAccount: string, signed: Signed): Promise<ReclaimProblem | null>
  /** The token account that gets Circle's fees. Absent where a mint does not name it. */
  feeAccount?(token: Token): Promise<string>
}

export interface MintSearch {
  /** Older blocks cannot have it. */
  since: Date
  /** Of the answer before, where the search goes on; null: it starts. */
  cursor: string | null
}

export interface FoundMint {
  txId: string | null
  /** Where the next search goes on; null: this one has read all. Of a found one, where it is. */
  cursor: string | null
}

/** A message as the event of its mint reports it. */
export type ReceivedMessage = BurnBody &
  Pick<BridgeMessage, 'sourceDomain' | 'nonce' | 'sender' | 'executedFinality'>

export interface Mints {
  /** `absent`: it is in no block, or it failed. */
  standing: 'absent' | 'seen' | 'confirmed' | 'final'
  /** Empty until it is confirmed. */
  messages: readonly ReceivedMessage[]
}
