import { type EventType, type NewEvent, recordEvents } from '../events/recordEvents.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Outflow, OutflowStatus } from './outflow.ts'
import { type PayoutView, unsealedPayout } from './presentPayout.ts'
import { presentOne } from './readPayouts.ts'
import { refundEvents } from './refundEvents.ts'

export interface PayoutEventContext {
  /** Opens the account of the destination, whose number is shown masked. */
  appKey: Secret
}

const ends: Partial<Record<OutflowStatus, EventType>> = {
  completed: 'payout.completed',
  returned: 'payout.returned',
  failed: 'payout.failed',
  cancelled: 'payout.cancelled',
  unknown: 'payout.unknown',
}

/** Records the event of the new state of a payout or a refund. */
export async function recordPayoutEvents(
  ctx: PayoutEventContext,
  tx: Tx,
  before: Outflow,
  after: Outflow,
): Promise<void> {
  if (after.businessId !== null)
    recordEvents(tx, after.businessId, await payoutEvents(ctx, tx, before, after))
}

/** The same for a caller that records them with others. */
export async function payoutEvents(
  ctx: PayoutEventContext,
  tx: Tx,
  before: Outflow,
  after: Outflow,
): Promise<NewEvent[]> {
  if (before.status === after.status) return []
  if (after.kind === 'refund') return refundEvents(tx, before, after, () => isFirstSend(tx, after))
  if (after.kind !== 'payout') return []
  const type = await typeOf(tx, after)
  return type === undefined ? [] : [payoutEvent(type, await presentOne(ctx, tx, after))]
}

/** Its price has to be confirmed before it leaves. */
export async function recordPriceChanged(ctx: PayoutEventContext, tx: Tx, after: Outflow): Promise<void> {
  if (after.businessId !== null)
    recordEvents(tx, after.businessId, [
      payoutEvent('payout.price_changed', await presentOne(ctx, tx, after)),
    ])
}

export const payoutCreated = (view: PayoutView): NewEvent => payoutEvent('payout.created', view)

const typeOf = async (tx: Tx, after: Outflow): Promise<EventType | undefined> =>
  after.status === 'processing'
    ? (await isFirstSend(tx, after))
      ? 'payout.sent'
      : undefined
    : ends[after.status]

async function isFirstSend(tx: Tx, { id }: Outflow): Promise<boolean> {
  return (
    (
      await tx.query('update outflows set sent_at = now() where id = $1 and sent_at is null returning id', [
        id,
      ])
    ).length > 0
  )
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
