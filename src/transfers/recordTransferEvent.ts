import { type EventType, recordEvents } from '../events/recordEvents.ts'
import type { OnChange } from '../txmgr/intents.ts'
import { checkSoon } from '../wallets/checkSoon.ts'
import { presentTransfer } from './presentTransfer.ts'

const events: Partial<Record<string, EventType>> = {
  confirmed: 'transfer.confirmed',
  failed: 'transfer.failed',
  expired: 'transfer.expired',
}

/** Publishes the outcome of a transfer; again, if a reorg took it back. */
export const recordTransferEvent: OnChange = async (tx, row, before) => {
  const type = events[row.status]
  if (type === undefined || row.status === before) return
  // A forged row that the treasury refuses: no business to notify.
  if (row.businessId === null || row.action.kind !== 'transfer') return
  // Its amount or its fee left the wallet. Before the event, whose lock the check takes second, too.
  const hasSpent = row.status === 'confirmed' || row.reason === 'reverted'
  if (hasSpent && row.walletId !== null)
    checkSoon(tx, { walletId: row.walletId, businessId: row.businessId, chain: row.chain })
  const view = presentTransfer(row)
  const about = {
    chain: view.chain,
    address: view.toAddress,
    symbol: view.symbol,
    amount: view.amount,
    txId: view.txHash,
  }
  recordEvents(tx, row.businessId, [{ type, data: view, about }])
}
