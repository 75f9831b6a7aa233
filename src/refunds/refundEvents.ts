import type { EventType, NewEvent } from '../events/recordEvents.ts'
import type { Outflow, OutflowStatus } from '../outflows/outflow.ts'
import type { EventsOfKind } from '../outflows/outflowEvents.ts'
import { isFirstSend } from '../outflows/recordOutflowEvents.ts'
import type { Tx } from '../platform/database/db.ts'
import { type RefundView, readRefundViews } from './refundView.ts'

const ends: Partial<Record<OutflowStatus, EventType>> = {
  completed: 'refund.completed',
  failed: 'refund.failed',
  cancelled: 'refund.cancelled',
  unknown: 'refund.unknown',
}

export const refundCreated = (view: RefundView): NewEvent => refundEvent('refund.created', view)

export const refundEvents: EventsOfKind = {
  async changed(_ctx, tx, before, after) {
    const type = await typeOf(tx, before, after)
    if (type === undefined) return []
    const [view] = await readRefundViews(tx, 'id = $1 and business_id = $2', [after.id, after.businessId])
    if (!view) throw new Error(`refund ${after.id} is gone`)
    return [refundEvent(type, view)]
  },
}

async function typeOf(tx: Tx, before: Outflow, after: Outflow): Promise<EventType | undefined> {
  const { status, reason } = after
  if (status === 'processing') return (await isFirstSend(tx, after)) ? 'refund.sent' : undefined
  if (status === 'cancelled' && reason === 'claim_expired') return 'refund.expired'
  // Its customer has named an address.
  if (before.status === 'awaiting_claim' && (status === 'pending' || status === 'awaiting_approval'))
    return 'refund.claimed'
  return ends[status]
}

function refundEvent(type: EventType, view: RefundView): NewEvent {
  const { chain, token, amount, toAddress, txHash } = view
  return { type, data: view, about: { chain, address: toAddress ?? '', symbol: token, amount, txId: txHash } }
}
