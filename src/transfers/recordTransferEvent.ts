import { type EventType, recordEvents } from '../events/recordEvents.ts'
import { businessTransfer, type OnChange } from '../txmgr/intents.ts'
import { presentTransfer } from './presentTransfer.ts'

const events: Partial<Record<string, EventType>> = { confirmed: 'transfer.confirmed', failed: 'transfer.failed', expired: 'transfer.expired' }

/** Publishes the outcome of a transfer; again, if a reorg took it back. */
export const recordTransferEvent: OnChange = async (tx, row, before) => {
  const type = events[row.status]
  if (type === undefined || row.status === before) return
  const view = presentTransfer(row)
  const about = { chain: view.chain, address: view.toAddress, symbol: view.symbol, amount: view.amount, txId: view.txHash }
  await recordEvents(tx, businessTransfer(row).businessId, [{ type, data: view, about }])
}
