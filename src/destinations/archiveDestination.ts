import type { ModelDb, ModelTx } from '../platform/database/modelDb.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import {
  type DestinationRow,
  type DestinationView,
  destinationColumns,
  presentDestination,
} from './destination.ts'

/**
 * Archives a destination: nothing new is paid to it. Repeating it changes nothing.
 * @param also runs in the same transaction
 * @throws ApiError 409 `destination_in_use` while autopayout goes there; 404, also for another business's
 * destination
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
    await requireUnused(tx, businessId, id)
    const view = presentDestination(ctx, row)
    await also(tx, view)
    return view
  })
}

/**
 * Its row is locked by now: autopayout keeps a destination that it is set to (`for share`), so that it is not
 * archived meanwhile.
 */
async function requireUnused(tx: ModelTx, businessId: string, id: string): Promise<void> {
  const uses = await tx.query<{ chain: string; token: string }>(
    'select chain, token from autopayout_settings where business_id = $1 and destination_id = $2 and enabled order by chain, token',
    [businessId, id],
  )
  if (uses.length === 0) return
  const payments = uses.map(({ chain, token }) => `${token} on ${chain}`).join(', ')
  throw new ApiError(
    409,
    'destination_in_use',
    `Autopayout of ${payments} goes here: choose another destination for it, or switch it off, first`,
  )
}
