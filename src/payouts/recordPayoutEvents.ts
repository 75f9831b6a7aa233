import { type EventType, recordEvents } from '../events/recordEvents.ts'
import type { Tx } from '../platform/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Outflow, OutflowStatus } from './outflow.ts'
import { type PayoutView, unsealedPayout } from './presentPayout.ts'
import { presentOne } from './readPayouts.ts'

export interface PayoutEventContext {
  /** Opens the account of the destination, whose number is shown masked. */
  appKey: Secret
}

const ends: Partial<Record<OutflowStatus, EventType>> = {
  completed: 'payout.completed',
  failed: 'payout.failed',
  cancelled: 'payout.cancelled',
  unknown: 'payout.unknown',
}

/**
 * Records the event of a payout's new state; refunds are reported with their session.
 * @param before null: it is new
 */
export async function recordPayoutEvents(ctx: PayoutEventContext, tx: Tx, before: Outflow | null, after: Outflow): Promise<void> {
  if (after.kind !== 'payout' || after.businessId === null || before?.status === after.status) return
  const type = before === null ? 'payout.created' : await typeOf(tx, after)
  if (type !== undefined) record(tx, after.businessId, type, await presentOne(ctx, tx, after))
}

/** The same for a new payout that is presented already. */
export const recordCreatedPayout = (tx: Tx, businessId: string, view: PayoutView): void => record(tx, businessId, 'payout.created', view)

const typeOf = async (tx: Tx, after: Outflow): Promise<EventType | undefined> =>
  after.status === 'processing' ? ((await isFirstSend(tx, after)) ? 'payout.sent' : undefined) : ends[after.status]

async function isFirstSend(tx: Tx, { id }: Outflow): Promise<boolean> {
  return (await tx.query('update outflows set sent_at = now() where id = $1 and sent_at is null returning id', [id])).length > 0
}

function record(tx: Tx, businessId: string, type: EventType, view: PayoutView): void {
  const { source, destination, amount, txHash } = view
  const about = { chain: source.chain, address: destination.address ?? '', symbol: source.token, amount, txId: txHash }
  recordEvents(tx, businessId, [{ type, data: unsealedPayout(view), about }])
}
