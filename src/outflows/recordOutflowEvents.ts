import { recordEvents } from '../events/recordEvents.ts'
import type { Tx } from '../platform/database/db.ts'
import type { Outflow } from './outflow.ts'
import type { OutflowEventContext } from './outflowEvents.ts'

/** Records the events of an outflow's new status. */
export async function recordStatusEvents(
  { outflowEvents }: OutflowEventContext,
  tx: Tx,
  before: Outflow,
  after: Outflow,
): Promise<void> {
  if (after.businessId !== null)
    recordEvents(tx, after.businessId, await outflowEvents.changed(tx, before, after))
}

export async function recordPriceChanged(
  { outflowEvents }: OutflowEventContext,
  tx: Tx,
  after: Outflow,
): Promise<void> {
  if (after.businessId !== null)
    recordEvents(tx, after.businessId, await outflowEvents.priceChanged(tx, after))
}

/** True once: it may leave for the first time. */
export async function isFirstSend(tx: Tx, { id }: Outflow): Promise<boolean> {
  const marked = await tx.query(
    'update outflows set sent_at = now() where id = $1 and sent_at is null returning id',
    [id],
  )
  return marked.length > 0
}
