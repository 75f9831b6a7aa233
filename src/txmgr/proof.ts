import type { Action } from '../chains/action.ts'
import type { Terms } from '../chains/sending.ts'
import { proofMessage } from '../custody/proof.ts'
import { actionText, ifNoTrustlineParts } from './actionJson.ts'

/** The proven part of an intent: what is sent, from which wallet, to which recipient, for which business. */
export interface ProvenIntent {
  id: string
  businessId: string | null
  purpose: string
  chain: string
  signer: string
  walletId: string | null
  action: Action
  symbol: string | null
  decimals: number | null
  needsApproval?: boolean
  validUntil?: Date | null
  createdAt: Date
}

/**
 * The form for a business's transfer must stay byte for byte: rows under way keep their proofs. A deadline is
 * added at its end.
 */
export function intentMessage(intent: ProvenIntent): Buffer {
  const { id, businessId, purpose, chain, signer, walletId, action, symbol, decimals, createdAt } = intent
  const deadline = intent.validUntil ? [intent.validUntil.toISOString()] : []
  const needsApproval = String(intent.needsApproval ?? false)
  if (businessId === null || action.kind !== 'transfer') {
    const shown = [symbol, decimals === null ? null : String(decimals)]
    const parts = [
      id,
      businessId,
      purpose,
      chain,
      signer,
      walletId,
      actionText(action),
      ...shown,
      needsApproval,
      createdAt.toISOString(),
      ...deadline,
    ]
    return proofMessage('action', parts)
  }
  const { from, to, token, amount, memo, gasPrice, gasLimit, ifNoTrustline } = action
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
    needsApproval,
    createdAt.toISOString(),
    ...(ifNoTrustline ? ifNoTrustlineParts(ifNoTrustline) : []),
    ...deadline,
  ])
}

/** A request to the treasury for an attempt. */
export interface ProvenRequest {
  intentId: string
  number: number
  chain: string
  nonce: bigint | null
  terms: Terms
  /** Hashes of earlier attempts that are unminable, by the worker's report. */
  givenUp: readonly string[]
  /** A no-op with the nonce, in place of the intent. */
  cancels?: boolean
}

/** The cancellation of an intent, by its business. */
export const cancellationMessage = (intentId: string, requestedAt: Date): Buffer =>
  proofMessage('cancellation', [intentId, requestedAt.toISOString()])

export function requestMessage({
  intentId,
  number,
  chain,
  nonce,
  terms,
  givenUp,
  cancels,
}: ProvenRequest): Buffer {
  // jsonb does not keep the order of keys.
  const sorted = Object.entries(terms).sort(([a], [b]) => (a < b ? -1 : 1))
  return proofMessage('request', [
    intentId,
    String(number),
    chain,
    nonce === null ? null : String(nonce),
    JSON.stringify(sorted),
    JSON.stringify(givenUp),
    ...(cancels ? ['cancels'] : []),
  ])
}

/** A transaction that the API has signed for an intent, with a key of the request. */
export const signedMessage = ({
  intentId,
  chain,
  txId,
}: {
  intentId: string
  chain: string
  txId: string
}): Buffer => proofMessage('signed', [intentId, chain, txId])
