import { proofMessage } from '../custody/proof.ts'
import type { Outflow } from './outflow.ts'

/** The part of an outflow that is proven to the treasury: what is taken, from which business, where it goes, and whether a second owner has to approve it. */
export type ProvenOutflow = Pick<
  Outflow,
  | 'id'
  | 'kind'
  | 'businessId'
  | 'sessionId'
  | 'paymentId'
  | 'automatic'
  | 'needsApproval'
  | 'chain'
  | 'token'
  | 'amount'
  | 'destinationId'
  | 'wallet'
  | 'bank'
  | 'createdAt'
>

/** A target that is a saved destination is proven by the destination itself, so that a worker can make payouts to it and to nothing else. */
export function outflowMessage(outflow: ProvenOutflow): Buffer {
  const { id, kind, businessId, sessionId, paymentId, automatic, needsApproval, chain, token, amount, destinationId, wallet, bank, createdAt } =
    outflow
  return proofMessage('outflow', [
    id,
    kind,
    businessId,
    sessionId,
    paymentId,
    String(automatic),
    String(needsApproval),
    chain,
    token,
    String(amount),
    destinationId,
    wallet?.chain ?? null,
    wallet?.token ?? null,
    wallet?.address ?? null,
    wallet?.memo?.type ?? null,
    wallet?.memo?.value ?? null,
    bank?.partner ?? null,
    bank?.networkId ?? null,
    bank?.currency ?? null,
    createdAt.toISOString(),
  ])
}
