import type { Address } from '@solana/kit'
import type { TransactionError } from './errors.ts'
import type { UiTokenAmount } from './tokens.ts'
import type { WireTransaction } from './wire.ts'

export interface TokenBalance {
  accountIndex: number
  mint: string
  owner?: string
  programId: string
  uiTokenAmount: UiTokenAmount
}

export interface InnerInstruction {
  programIdIndex: number
  accounts: number[]
  data: string
  stackHeight: number
}

/** A transaction's record in the node's format. */
export interface Meta {
  err: TransactionError | null
  status: { Ok: null } | { Err: TransactionError }
  fee: number
  preBalances: number[]
  postBalances: number[]
  innerInstructions: { index: number; instructions: InnerInstruction[] }[]
  logMessages: string[]
  preTokenBalances: TokenBalance[]
  postTokenBalances: TokenBalance[]
  rewards: never[]
  loadedAddresses: { writable: Address[]; readonly: Address[] }
  computeUnitsConsumed: number
  returnData?: { programId: string; data: [string, 'base64'] }
}

/** A transaction that paid its fee: in a block, or in the open slot. */
export interface ExecutedTransaction {
  signature: string
  slot: number
  wire: WireTransaction
  meta: Meta
}
