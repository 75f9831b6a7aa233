import type { EventType, NewEvent } from '../events/recordEvents.ts'
import type { Outflow, OutflowStatus } from '../outflows/outflow.ts'
import type { EventsOfKind } from '../outflows/outflowEvents.ts'
import { isFirstSend } from '../outflows/recordOutflowEvents.ts'
import type { Tx } from '../platform/database/db.ts'
import { type PayoutView, unsealedPayout } from './presentPayout.ts'
import { presentOne } from './readPayouts.ts'

const ends: Partial<Record<OutflowStatus, EventType>> = {
  completed: 'payout.completed',
  returned: 'payout.returned',
  failed: 'payout.failed',
  cancelled: 'payout.cancelled',
  unknown: 'payout.unknown',
}

export const payoutEvents: EventsOfKind = {
  async changed(ctx, tx, _before, after) {
    const type = await typeOf(tx, after)
    return type === undefined ? [] : [payoutEvent(type, await presentOne(ctx, tx, after))]
  },
  priceChanged: async (ctx, tx, after) => [
    payoutEvent('payout.price_changed', await presentOne(ctx, tx, after)),
  ],
}

/** The event of each payout that has ended, of many at once. */
export const payoutsEnded = (views: readonly PayoutView[]): NewEvent[] =>
  views.flatMap((view) => {
    const type = ends[view.status]
    return type === undefined ? [] : [payoutEvent(type, view)]
  })

export const payoutCreated = (view: PayoutView): NewEvent => payoutEvent('payout.created', view)

async function typeOf(tx: Tx, after: Outflow): Promise<EventType | undefined> {
  if (after.status !== 'processing') return ends[after.status]
  return (await isFirstSend(tx, after)) ? 'payout.sent' : undefined
}

function payoutEvent(type: EventType, view: PayoutView): NewEvent {
  const { source, destination, amount, txHash } = view
  const about = {
    chain: source.chain,
    address: destination.address ?? '',
    symbol: source.token,
    amount,
    txId: txHash,
  }
  return { type, data: unsealedPayout(view), about }
}
