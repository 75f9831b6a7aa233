import { BaseError, type Retry } from '../platform/errors.ts'

/**
 * The port of Circle's attestation service: what a burn costs, and the signed message that lets its amount be
 * minted.
 */
export interface Attestations {
  /** The requests that it takes in a second, over all processes. */
  perSecond: number
  /** @param forward with the fee of Circle's own mint @throws AttestationsError */
  fees(sourceDomain: number, destinationDomain: number, forward: boolean): Promise<BurnFee[]>
  /** Messages of a transaction; empty while the service does not know it. @throws AttestationsError */
  messages(sourceDomain: number, txId: string): Promise<AttestedMessage[]>
  /** Requests another signature for an expired message. @throws AttestationsError */
  reattest(nonce: string): Promise<void>
}

export interface BurnFee {
  finality: number
  /** Hundredths of a per cent, as a decimal: `1.3`. */
  basisPoints: string
  /** Base units; null where Circle does not mint by itself. */
  forwardFee: bigint | null
}

/** As the service reports it; `checkMessage` decides whether it is of our burn. */
export interface AttestedMessage {
  /** Null before it exists. */
  message: `0x${string}` | null
  attestation: `0x${string}` | null
  /** Why it takes longer; null: nothing keeps it. */
  delay: string | null
  /** The transaction by which Circle reports that it minted. */
  forwardTxId: string | null
}

export type AttestationsProblem = 'unavailable' | 'throttled' | 'malformed'

/** Circle did not serve a request. The message is safe to log: it holds no text of the service. */
export class AttestationsError extends BaseError {
  readonly code = 'attestations_failed'
  readonly retry: Retry
  readonly problem: AttestationsProblem
  readonly retryAfterSeconds: number | null
  constructor(problem: AttestationsProblem, message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.retry = problem === 'malformed' ? 'no' : 'yes'
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}
