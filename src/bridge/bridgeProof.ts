import { proofMessage, type Verifier } from '../custody/proof.ts'
import type { BridgeRequest } from './bridgeRow.ts'

/** The part of a bridge transfer that the API proves to the treasury: all that was requested. */
export const bridgeMessage = (request: BridgeRequest): Buffer =>
  proofMessage('bridge transfer', [
    request.id,
    request.businessId,
    request.walletId,
    request.sourceChain,
    request.destinationChain,
    String(request.amount),
    request.sourceAddress,
    request.destinationAddress,
    String(request.automatic),
    request.speed,
    String(request.maxFee),
    String(request.sourceDomain),
    String(request.destinationDomain),
    request.sourceMessenger,
    request.destinationMessenger,
    request.burnToken,
    request.sourceWord,
    request.mintRecipient,
    request.hook,
    String(request.needsApproval),
    request.approvalIntentId,
    request.createdAt.toISOString(),
    ...(request.eventAccount === null ? [] : [request.eventAccount]),
  ])

export const isProven = (api: Verifier, row: BridgeRequest & { proof: Buffer }): boolean =>
  api.verifies(bridgeMessage(row), row.proof)
