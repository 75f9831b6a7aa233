import type { Tx } from '../platform/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { Outflow } from './outflow.ts'

export interface PayoutEventContext {
  /** Opens the account of the destination, whose number is shown masked. */
  appKey: Secret
}

/**
 * Records the event of a payout's new state; refunds are reported with their session.
 * @param _before null: it is new
 */
export async function recordPayoutEvents(_ctx: PayoutEventContext, _tx: Tx, _before: Outflow | null, _after: Outflow): Promise<void> {}
