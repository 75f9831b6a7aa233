import { BaseError, type Retry } from '../platform/errors.ts'
import type { CallsSpec, Token } from './action.ts'
import type { ActionPlan } from './sending.ts'

/** The port of Solana for swaps. */
export interface SolanaSwapping {
  family: 'solana'
  /**
   * A mint's data.
   * @returns null for an account that is not a mint
   * @throws ProviderError
   */
  mint(address: string): Promise<SolanaMint | null>
  /** Whether a token account exists. @throws ProviderError */
  exists(address: string): Promise<boolean>
  /**
   * Reads the lookup tables from the chain, of several nodes, runs the whole transaction there without
   * sending it, and compares the accounts before and after. Where the sender lacks funds, it is not run, and
   * the shortages of the plan show what is missing: such a plan is not to be signed.
   * @returns the plan, and the lamports that opening accounts costs the sender
   * @throws UnsafeTrialError, BusyTrialError, ActionRefusedError, ProviderError
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
  /** Token accounts that it may open for good. */
  opens: readonly OpenedAccount[]
  /** It closes the sender's account of wrapped SOL, which must not stay open. */
  unwraps: boolean
  /** Lookup tables, with their addresses as the provider reports them. */
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

/** The transaction would do another thing than the swap. Nothing was sent. */
export class UnsafeTrialError extends BaseError {
  readonly code: string = 'unsafe_trial'
  readonly retry: Retry = 'no'
  constructor(what: string) {
    const text = `The trial run shows ${what}`
    super(text, { publicText: text })
  }
}

/**
 * Each trial run met a payment to an account of the swap, and shows the swap but for that. It is not proven,
 * and not to be signed. Nothing was sent.
 */
export class BusyTrialError extends UnsafeTrialError {
  override readonly code = 'busy_trial'
  override readonly retry = 'yes'
  constructor() {
    super('payments of others to the accounts of the swap')
  }
}
