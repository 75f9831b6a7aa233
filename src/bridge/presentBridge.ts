import { addressCodec } from '../chains/codecs.ts'
import { registeredChain } from '../chains/registry.ts'
import { formatUnits } from '../money/amount.ts'
import type { BridgeTransfer } from './bridgeRow.ts'
import { usdcDecimals } from './settings.ts'

/** A bridge transfer as the API shows it. */
export type BridgeView = ReturnType<typeof presentBridge>

export function presentBridge(row: Omit<BridgeTransfer, 'proof'>) {
  const show = (amount: bigint) => formatUnits(amount, usdcDecimals)
  const shown = (chain: string, address: string) =>
    addressCodec(registeredChain(chain).family).display(address)
  const isCompleted = row.status === 'completed'
  return {
    id: row.id,
    sourceChain: row.sourceChain,
    destinationChain: row.destinationChain,
    status: row.status,
    amount: show(row.amount),
    sourceAddress: shown(row.sourceChain, row.sourceAddress),
    destinationAddress: shown(row.destinationChain, row.destinationAddress),
    sourceTxHash: row.sourceTxId ?? row.broadcastTxId,
    destinationTxHash: isCompleted ? row.destinationTxId : null,
    errorMessage: row.errorMessage,
    speed: row.speed,
    executedSpeed: row.executedSpeed,
    automatic: row.automatic,
    maxFee: show(row.maxFee),
    fee: row.fee === null ? null : show(row.fee),
    amountReceived: isCompleted && row.fee !== null ? show(row.amount - row.fee) : null,
    delay: delayOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function delayOf({
  status,
  delay,
  awaitsApproval,
}: Pick<BridgeTransfer, 'status' | 'delay' | 'awaitsApproval'>): string | null {
  if (status === 'pending' && awaitsApproval) return 'awaiting_approval'
  return status === 'pending' || status === 'in_progress' ? delay : null
}
