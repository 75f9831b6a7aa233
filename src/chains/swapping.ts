import type { Call, CallsSpec, Token } from './action.ts'
import { ProviderError } from './chain.ts'
import type { ActionPlan } from './sending.ts'
import type { SolanaSwapping } from './solanaSwapping.ts'

/**
 * The port of a family of chains for swaps: reads, and trial runs of calls that are not sent. A family knows
 * no provider of swaps; a provider knows no family's code but these ports.
 */
export type ChainSwapping = EvmSwapping | SolanaSwapping

/** A swap needs a trial run that no node of the chain can make. */
export class NoTrialRunError extends ProviderError {
  override readonly code = 'no_trial_run'
}

export interface EvmSwapping {
  family: 'evm'
  /**
   * Answers of contracts in hex, in the order of the calls; null for a call that reverts.
   * @throws ProviderError
   */
  read(calls: readonly EvmRead[]): Promise<(string | null)[]>
  /**
   * Reads a contract's own facts as a token, and if its settings keep a part of each transfer.
   * @returns null for a contract that is not a token
   * @throws ProviderError
   */
  token(contract: string): Promise<SwapTokenFacts | null>
  /** Base units that `spender` may take. @throws ProviderError */
  allowance(token: string, owner: string, spender: string): Promise<bigint>
  /** The call that allows `spender` exactly `amount`. */
  approval(token: string, spender: string, amount: bigint): Call
  /**
   * The reason why a call of `from` would fail on the newest state; null if it succeeds. Its movements are
   * not known.
   * @throws ProviderError
   */
  failureOf(from: string, call: Call): Promise<string | null>
  /**
   * Runs calls of `from` one after the other on the newest state (`eth_simulateV1`), and reports all that
   * they moved. Nothing is sent.
   * @returns null where every node answers that it cannot run several calls and trace the coin
   * @throws ProviderError also if a node failed that might be able to
   */
  simulate(run: TrialRun): Promise<TrialResult | null>
  /**
   * The plan of a call. Fees are paid on top of `before`, what the steps before it cost at most.
   * @param simulated null: the call is the first, and its gas is estimated; otherwise the gas of the trial
   *   run
   * @throws ActionRefusedError, ProviderError
   */
  plan(action: CallsSpec, terms: { before: bigint; simulated: bigint | null }): Promise<ActionPlan>
}

export interface EvmRead {
  /** Normal form. */
  to: string
  /** ABI in hex with 0x. */
  data: string
}

export interface SwapTokenFacts extends Token {
  takesFee: boolean
}

export interface TrialRun {
  from: string
  calls: readonly Call[]
  /** Balances of tokens to compare before and after. */
  watched: readonly { token: string; owner: string }[]
}

export interface TrialResult {
  /** In the order of the calls. A failed call moves nothing; the calls after it run all the same. */
  calls: readonly TrialCall[]
  /** Base units by which each watched balance has changed, in order. */
  changes: readonly bigint[]
}

export interface TrialCall {
  /** Null: it succeeded. */
  failure: { reason: string; data: string } | null
  gasUsed: bigint
  movements: readonly TrialMovement[]
  approvals: readonly TrialApproval[]
}

/** A transfer that the chain would log. */
export interface TrialMovement {
  /** Normal form; null for the coin. */
  token: string | null
  from: string
  to: string
  /** Base units; null for what has no amount, as a token of ERC-721 or ERC-1155. */
  amount: bigint | null
}

export interface TrialApproval {
  token: string
  owner: string
  spender: string
}
