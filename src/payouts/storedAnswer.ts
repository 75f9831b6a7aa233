import type { DestinationView } from '../destinations/destination.ts'
import { getDestination } from '../destinations/getDestination.ts'
import type { Db } from '../platform/database/db.ts'
import type { Secret } from '../platform/secrets.ts'
import type { PayoutView } from './presentPayout.ts'

/** An answer as it is stored for its `Idempotency-Key`: without what is sealed in its row. */
export const storedDestination = (view: DestinationView): DestinationView => ({
  ...view,
  accountNumber: null,
  accountName: null,
})

/** The answer again, with what never changes from its row. */
export async function restoreDestination(
  ctx: { db: Db; appKey: Secret },
  businessId: string,
  stored: DestinationView,
): Promise<DestinationView> {
  const { accountNumber, accountName } = await getDestination(ctx, businessId, stored.id)
  return { ...stored, accountNumber, accountName }
}

/** The same of a payout. */
export const storedPayout = (view: PayoutView): PayoutView => ({
  ...view,
  destination: { ...view.destination, accountNumber: null, accountName: null },
})

export async function restorePayout(
  ctx: { db: Db; appKey: Secret },
  businessId: string,
  stored: PayoutView,
): Promise<PayoutView> {
  const { accountNumber, accountName } = await getDestination(ctx, businessId, stored.destination.id)
  return { ...stored, destination: { ...stored.destination, accountNumber, accountName } }
}
