import type { ApprovalOf } from '../approvals/approvalsOf.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { type DestinationRow, presentDestination } from '../destinations/destination.ts'
import { formatUnits } from '../money/amount.ts'
import type { Outflow, OutflowStatus } from '../outflows/outflow.ts'
import type { OutflowIntent } from '../outflows/outflowIntent.ts'
import type { NewOutflow } from '../outflows/storeOutflow.ts'
import type { Secret } from '../platform/secrets.ts'

/** What belongs to a payout in other tables. */
export interface PayoutParts {
  destination: DestinationRow
  approval: ApprovalOf | null
  /** What the chain has of it. */
  sent: OutflowIntent | null
}

export type PayoutStatus = Exclude<OutflowStatus, 'awaiting_claim'>

/** A payout as the API and its events show it. */
export type PayoutView = ReturnType<typeof presentPayout>

export function presentPayout(
  ctx: { appKey: Secret },
  outflow: Outflow,
  { destination, approval, sent }: PayoutParts,
) {
  const { id, status, chain, token, bank, reason, reference, metadata, sessionId, automatic, paidElsewhere } =
    outflow
  if (status === 'awaiting_claim') throw new Error(`payout ${id} waits for a claim`)
  return {
    id,
    status: status as PayoutStatus,
    revision: outflow.revision,
    amount: formatUnits(outflow.amount, tokenDecimals(chain, token)),
    source: { chain, token },
    destination: paidDestination(ctx, destination),
    ...priceOf(outflow),
    pricedAt: outflow.bank?.price?.pricedAt?.toISOString() ?? null,
    networkCost: sent?.networkCost ?? null,
    ...(status === 'completed' && sent?.arrived),
    sessionId,
    ...(outflow.batchId !== null && { batchId: outflow.batchId }),
    automatic,
    txHash: outflow.byHand?.txId ?? sent?.txHash ?? null,
    partnerPaymentId: bank ? outflow.partnerPaymentId : null,
    partnerPaymentStatus: bank ? outflow.partnerStatus : null,
    paidElsewhere,
    reason,
    reference,
    metadata,
    approval: approval && presentApproval(approval, status === 'awaiting_approval'),
    createdAt: outflow.createdAt.toISOString(),
    updatedAt: outflow.updatedAt.toISOString(),
    completedAt: outflow.completedAt?.toISOString() ?? null,
  }
}

/**
 * The same for events, answers kept for an `Idempotency-Key`, and other places that are not sealed: without
 * the name of an account's holder.
 */
export const unsealedPayout = (view: PayoutView): PayoutView => ({
  ...view,
  destination: { ...view.destination, accountName: null },
})

function paidDestination(ctx: { appKey: Secret }, row: DestinationRow) {
  const { status, usableFrom, createdAt, archivedAt, ...shown } = presentDestination(ctx, row)
  return shown
}

/** The amounts of a payout that its destination decides. */
export function priceOf({
  chain,
  token,
  fee,
  wallet,
  bank,
}: Pick<Outflow, 'chain' | 'token' | 'fee' | 'wallet'> & Pick<NewOutflow, 'bank'>) {
  if (wallet)
    return {
      fee: formatUnits(fee, tokenDecimals(chain, token)),
      feeCurrency: token,
      rate: null,
      receiveAmount: formatUnits(wallet.amount, tokenDecimals(wallet.chain, wallet.token)),
      receiveCurrency: wallet.token,
    }
  if (!bank) throw new Error('a payout goes nowhere')
  const { currency, price } = bank
  return {
    fee: price?.localFee ?? null,
    feeCurrency: currency,
    rate: price?.rate ?? null,
    receiveAmount: price?.localAmount.toString() ?? null,
    receiveCurrency: currency,
  }
}

/** @param waits what it is about waits for it */
export function presentApproval({ id, decision, expiresAt, decidedAt, needs }: ApprovalOf, waits: boolean) {
  const isOver = !waits || expiresAt.getTime() <= Date.now()
  const state = decision ?? (isOver ? ('expired' as const) : ('waiting' as const))
  return {
    id,
    state,
    needs: state === 'waiting' ? needs : null,
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }
}
