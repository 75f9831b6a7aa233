import { type EventType, recordEvents } from '../events/recordEvents.ts'
import type { OnChange } from '../txmgr/intents.ts'
import { presentSwap } from './presentSwap.ts'
import { readSwaps } from './storedSwap.ts'

const events: Partial<Record<string, EventType>> = {
  confirmed: 'swap.confirmed',
  failed: 'swap.failed',
  expired: 'swap.expired',
}

/** Publishes the outcome of a swap; again, if a reorg took it back. */
export const recordSwapEvent: OnChange = async (tx, row, before) => {
  const type = events[row.status]
  if (type === undefined || row.status === before || row.businessId === null) return
  const [stored] = await readSwaps(tx, row.businessId, [row.id])
  if (!stored) return
  const view = presentSwap(stored)
  const about = {
    chain: view.chain,
    address: view.toAddress,
    symbol: view.sellSymbol ?? '',
    amount: view.sellAmount,
    txId: view.txHash,
  }
  recordEvents(tx, row.businessId, [{ type, data: view, about }])
}
