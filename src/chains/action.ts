import type { Memo } from './chain.ts'

/** As the registry of chains knows it. */
export interface Token {
  /** Normal form. */
  contract: string
  symbol: string
  decimals: number
}

/** Something to send in one transaction. `from` pays the fee and owns the nonce. */
export type Action = TransferSpec | CallsSpec

/** A transfer to make. */
export interface TransferSpec {
  kind: 'transfer'
  /** Normal form. */
  from: string
  /** Normal form. */
  to: string
  /** Null for the native coin. */
  token: Token | null
  /** Base units; more than zero. */
  amount: bigint
  /** Stellar only. */
  memo: Memo | null
  /** EVM only: wei of all fees for one unit of gas, and the gas limit. */
  gasPrice: bigint | null
  gasLimit: bigint | null
  /** Tokens on Stellar only: instead of a refusal while the recipient cannot hold the token. */
  ifNoTrustline?: IfNoTrustline
}

/** `wait`: it is planned again until then. `claimable`: it becomes a claimable balance. */
export type IfNoTrustline = { kind: 'wait'; until: Date } | { kind: 'claimable' }

/**
 * A call, or a batch of calls that succeed or fail together. Its purpose states what it spends and receives;
 * builders do not read that.
 */
export interface CallsSpec {
  kind: 'calls'
  /** Normal form. */
  from: string
  /** In order; at least one. EVM and Tron carry one call in a transaction. */
  calls: readonly Call[]
  /**
   * Other addresses whose signatures the transaction needs, in order. Normal forms. Solana and Stellar only.
   */
  cosigners: readonly string[]
  /**
   * What leaves the platform's addresses, without the fee; includes the native coin that calls send along.
   */
  spends: readonly Flow[]
  /** What reaches the platform's addresses. */
  receives: readonly Flow[]
  /** EVM only: wei of all fees for one unit of gas, and the gas limit. */
  gasPrice: bigint | null
  gasLimit: bigint | null
}

/** One call of a contract or program. */
export interface Call {
  /** Contract or program, in normal form. On Stellar the account whose operation it is. */
  to: string
  /**
   * EVM: ABI in hex with 0x. Tron: ABI in hex without 0x. Solana: the instruction's data in base64. Stellar:
   * one operation in base64 XDR.
   */
  data: string
  /** Base units of the native coin, sent along by `from`. EVM and Tron only; 0 elsewhere. */
  value: bigint
  /** Solana only: the instruction's accounts, in order. Empty on other chains. */
  accounts: readonly CallAccount[]
}

export interface CallAccount {
  /** Normal form. */
  address: string
  signer: boolean
  writable: boolean
}

/** An amount that an address spends or receives. */
export interface Flow {
  /** Normal form. */
  address: string
  /** Null for the native coin. */
  token: Token | null
  /** Base units; more than zero. */
  amount: bigint
}

/**
 * What an action spends and receives, without the fee. Those of a transfer follow from it; the recipient may
 * not be one of the platform's.
 */
export function flowsOf(action: Action): { spends: readonly Flow[]; receives: readonly Flow[] } {
  if (action.kind === 'calls') return action
  const { from, to, token, amount } = action
  return { spends: [{ address: from, token, amount }], receives: [{ address: to, token, amount }] }
}

/** Addresses whose keys sign an action, in the order of the keys. */
export const signersOf = (action: Action): readonly string[] => [
  action.from,
  ...(action.kind === 'calls' ? action.cosigners : []),
]
