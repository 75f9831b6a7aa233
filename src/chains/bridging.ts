import type { CallsSpec, Token } from './action.ts'
import type { Cctp, ConfiguredChain } from './registry.ts'

/** Ports for Circle's bridge of USDC (CCTP v2): a burn on one chain, and a mint of the same amount on another one. */

/** A message of CCTP v2, in hex with 0x. */
export type MessageHex = `0x${string}`

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
  /** Returns the rent of the account of a burn's message. Absent on chains without one. */
  reclaim?(from: string, eventAccount: string, signed: Signed): CallsSpec
  /** An address in the form of messages. @param address normal form */
  wordOf(address: string): MessageHex
  /** What a burn for an owner mints to. Absent where that is the address itself. */
  recipientOf?(owner: string, token: Token): MessageHex
}

/** Why a message cannot be used to mint now; null: it can. `used`: it was. `expired`: it needs another signature. */
export type MintProblem = 'used' | 'expired' | { refused: string }

/** What a node says about the bridge. Every method may throw ProviderError. */
export interface BridgeReader {
  /** The least maximum fee that the contract takes for this amount. */
  minFee(amount: bigint): Promise<bigint>
  /** The maximum of one burn, in base units. */
  burnLimit(token: Token): Promise<bigint>
  /** Tries a mint, without sending it. @param from pays for it */
  mintProblem(from: string, signed: Signed): Promise<MintProblem | null>
  /** Where a message was used, by any sender: in the newest block, or in one that is confirmed by the chain's rule. */
  usedIn(nonce: MessageHex): Promise<'nowhere' | 'newest' | 'confirmed'>
  /** The transaction that used a message, among recent blocks; null if it is not found there. @param hint a hash to look at first */
  findMint(nonce: MessageHex, hint: string | null): Promise<string | null>
  /** The token account that gets Circle's fees. Absent where a mint does not name it. */
  feeAccount?(token: Token): Promise<string>
}
