import type { xdr } from '@stellar/stellar-sdk'
import type { Frame } from './state.ts'

/** Constants of the network. */
export interface Network {
  passphrase: string
  /** sha256 of the passphrase: part of every signed payload. */
  id: Buffer
}

/** The ledger that is being closed. */
export interface LedgerContext {
  network: Network
  sequence: number
  /** Unix seconds. */
  closeTime: number
  /** The last offer id: `idPool` of the header. */
  idPool: bigint
  /** The asset of the contract at this address (`C…`), if an account holds it. */
  assetOfContract(contract: string): string | undefined
}

/** The transaction that is being applied. */
export interface TransactionContext {
  ledger: LedgerContext
  transaction: xdr.Transaction
  source: string
  /** Sponsors of reserves in the rest of the transaction: sponsored → sponsor (CAP-33). */
  sponsors: Map<string, string>
}

/** The operation that is being applied. */
export interface OperationContext {
  tx: TransactionContext
  frame: Frame
  source: string
  /** From 0. */
  index: number
  /** The operation's events (CAP-67), in order. */
  events: xdr.ContractEvent[]
}

/** Ends an operation with its documented result. */
export class OperationFailure extends Error {
  readonly result: xdr.OperationResult
  constructor(result: xdr.OperationResult) {
    super(result.type)
    this.result = result
  }
}
