import type { CallsSpec, Token } from './action.ts'
import type { ActionPlan } from './sending.ts'

/** The port of Solana for swaps. */
export interface SolanaSwapping {
  family: 'solana'
  /**
   * What a mint says of itself.
   * @returns null for an account that is not a mint
   * @throws ProviderError
   */
  mint(address: string): Promise<SolanaMint | null>
  /**
   * Reads the lookup tables from the chain, runs the whole transaction there without sending it, and compares the accounts before
   * and after. Where the sender lacks funds, it is not run, and the shortages of the plan say what is missing: such a plan is not
   * to be signed.
   * @returns the plan, and the lamports that opening accounts costs the sender
   * @throws UnsafeTrial, ActionRefused, ProviderError
   */
  tryAndPlan(trial: SwapTrial): Promise<{ plan: ActionPlan; rent: bigint }>
}

export interface SolanaMint extends Token {
  /** The token program that owns it. */
  program: string
  /** It keeps a part of each transfer (Token-2022). */
  takesFee: boolean
}

/** A swap, and all that it may do. */
export interface SwapTrial {
  action: CallsSpec
  /** Normal form of the recipient. */
  to: string
  /** Leaves the sender, exactly. */
  sold: TrialSide
  /** Reaches the recipient, at least. */
  bought: TrialSide
  /** Token accounts that it may open. The sender's account of wrapped SOL is not among them: it must not stay open. */
  opens: readonly OpenedAccount[]
  /** Lookup tables, with the addresses that the provider says are in them. */
  tables: ReadonlyMap<string, readonly string[]>
}

export interface TrialSide {
  mint: string
  /** The token account; null for the coin. */
  account: string | null
  /** Base units. */
  amount: bigint
}

export interface OpenedAccount {
  address: string
  owner: string
  mint: string
}

/** The transaction would do something else than the swap. Nothing was sent. */
export class UnsafeTrial extends Error {
  constructor(what: string) {
    super(`The trial run shows ${what}`)
    this.name = 'UnsafeTrial'
  }
}
