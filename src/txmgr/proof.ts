import type { TransferSpec } from '../chains/action.ts'
import type { Terms } from '../chains/sending.ts'
import { proofMessage } from '../custody/proof.ts'

/** The proven part of an intent: what is sent, from which wallet, to which recipient, for which business. */
export interface ProvenIntent {
  id: string
  businessId: string
  purpose: string
  chain: string
  signer: string
  walletId: string | null
  transfer: TransferSpec
  symbol: string
  decimals: number
  needsApproval?: boolean
  createdAt: Date
}

export function intentMessage({
  id,
  businessId,
  purpose,
  chain,
  signer,
  walletId,
  transfer,
  symbol,
  decimals,
  needsApproval,
  createdAt,
}: ProvenIntent): Buffer {
  const { from, to, token, amount, memo, gasPrice, gasLimit } = transfer
  return proofMessage('intent', [
    id,
    businessId,
    purpose,
    chain,
    signer,
    walletId,
    from,
    to,
    token?.contract ?? null,
    symbol,
    String(decimals),
    String(amount),
    memo?.type ?? null,
    memo?.value ?? null,
    gasPrice === null ? null : String(gasPrice),
    gasLimit === null ? null : String(gasLimit),
    String(needsApproval ?? false),
    createdAt.toISOString(),
  ])
}

/** A request to the treasury for an attempt. */
export interface ProvenRequest {
  intentId: string
  number: number
  chain: string
  nonce: bigint | null
  terms: Terms
  /** Hashes of earlier attempts that are unminable, on the worker's word. */
  givenUp: readonly string[]
}

export function requestMessage({ intentId, number, chain, nonce, terms, givenUp }: ProvenRequest): Buffer {
  // jsonb does not keep the order of keys.
  const sorted = Object.entries(terms).sort(([a], [b]) => (a < b ? -1 : 1))
  return proofMessage('request', [
    intentId,
    String(number),
    chain,
    nonce === null ? null : String(nonce),
    JSON.stringify(sorted),
    JSON.stringify(givenUp),
  ])
}
