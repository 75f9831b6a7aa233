import { addressCodec, claimableOf } from '../chains/codecs.ts'
import { knownChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import { feeWaitMessage, feeWaitReason } from '../txmgr/fees/feeWait.ts'
import { presentArrived } from '../txmgr/fees/tokenKept.ts'
import { heldAloneMessage, heldMessage, heldReason } from '../txmgr/hold.ts'
import { type BusinessTransfer, businessTransfer, type Intent, type IntentStatus } from '../txmgr/intents.ts'

/** The specification's three states: unknown is pending, expired is failed. */
export const shownStatus: Record<IntentStatus, 'pending' | 'confirmed' | 'failed'> = {
  created: 'pending',
  signed: 'pending',
  broadcast: 'pending',
  unknown: 'pending',
  confirmed: 'confirmed',
  failed: 'failed',
  expired: 'failed',
}

/** A transfer as the API and its webhooks show it. */
export type TransferView = ReturnType<typeof presentTransfer>

/** The approval that a transfer needs. */
export function presentApproval(
  { decision, expiresAt, decidedAt, needs }: NonNullable<Intent['approval']>,
  status: IntentStatus,
) {
  const until = new Date(expiresAt)
  // A transfer that has ended waits for no decision.
  const isOver = status !== 'created' || until.getTime() <= Date.now()
  const state = decision ?? (isOver ? ('expired' as const) : ('waiting' as const))
  return {
    required: true as const,
    state,
    needs: state === 'waiting' ? needs : null,
    expiresAt: until.toISOString(),
    decidedAt: decidedAt === null ? null : new Date(decidedAt).toISOString(),
  }
}

/** A balance of a transaction that has failed or expired was never made. */
function presentIfNoTrustline({
  action: { ifNoTrustline, from },
  status,
  claimableSequence,
}: BusinessTransfer) {
  if (!ifNoTrustline) return {}
  const { kind } = ifNoTrustline
  if (kind === 'wait') return { ifNoTrustline: kind, waitUntil: ifNoTrustline.until.toISOString() }
  const isMade = claimableSequence !== null && shownStatus[status] !== 'failed'
  return { ifNoTrustline: kind, ...(isMade && { claimableBalanceId: claimableOf(from, claimableSequence) }) }
}

/** Why it has failed or, while it is pending, why it waits. */
function presentReason(row: Intent): Pick<Intent, 'reason' | 'message'> {
  if (row.held) return { reason: heldReason, message: row.isHeldAlone ? heldAloneMessage : heldMessage }
  if (row.isCancelled && shownStatus[row.status] === 'pending')
    return { reason: 'cancelling', message: 'It is cancelled, unless the chain has it already' }
  return row.feeWaitForMs === null
    ? { reason: row.reason, message: row.message }
    : { reason: feeWaitReason, message: feeWaitMessage }
}

export function presentTransfer(intent: Intent) {
  const row = businessTransfer(intent)
  const chain = knownChain(row.chain)
  if (!chain) throw new Error(`${row.chain} is no chain`)
  const codec = addressCodec(chain.family)
  const transfer = row.action
  return {
    id: row.id,
    chain: row.chain,
    token: transfer.token === null ? 'native' : row.symbol.toLowerCase(),
    symbol: row.symbol,
    amount: formatUnits(transfer.amount, row.decimals),
    ...presentArrived(row),
    fromAddress: codec.display(transfer.from),
    toAddress: codec.display(transfer.to),
    ...(transfer.memo && { memo: transfer.memo.value, memoType: transfer.memo.type }),
    walletId: row.walletId,
    txHash: row.txId,
    status: shownStatus[row.status],
    ...presentReason(row),
    ...(row.gasUsed !== null && { gasUsed: row.gasUsed.toString() }),
    fee: row.fee === null ? null : formatUnits(row.fee, chain.native.decimals),
    feeCurrency: chain.native.symbol,
    blockHeight: row.blockHeight,
    ...presentIfNoTrustline(row),
    ...(row.approval && { approval: presentApproval(row.approval, row.status) }),
    ...(row.validUntil && { validUntil: row.validUntil.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
