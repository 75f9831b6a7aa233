import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { ModelDb, ModelTx } from '../platform/modelDb.ts'
import type { Secret } from '../platform/secrets.ts'
import { type DestinationRow, type DestinationView, destinationColumns, presentDestination } from './destination.ts'

/**
 * Archives a destination: nothing new is paid to it. Repeating it changes nothing.
 * @param also runs in the same transaction
 * @throws ApiError 404, also for another business's destination
 */
export async function archiveDestination(
  ctx: { db: ModelDb; appKey: Secret },
  businessId: string,
  id: string,
  also: (tx: ModelTx, result: DestinationView) => Promise<void>,
): Promise<DestinationView> {
  return ctx.db.tx(async (tx) => {
    const [row] = isUuid(id)
      ? await tx.query<DestinationRow>(
          `update payout_destinations d set archived_at = coalesce(archived_at, now())
           where d.id = $1 and d.business_id = $2 returning ${destinationColumns}`,
          [id, businessId],
        )
      : []
    if (!row) throw notFound('Destination')
    const view = presentDestination(ctx, row)
    await also(tx, view)
    return view
  })
}
