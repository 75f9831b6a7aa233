import type { Db } from '../platform/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { type DestinationRow, type DestinationView, destinationColumns, presentDestination } from './destination.ts'

/** A destination of the business, archived or not. @throws ApiError 404, also for another business's destination */
export async function getDestination(ctx: { db: Db; appKey: Secret }, businessId: string, id: string): Promise<DestinationView> {
  const [row] = isUuid(id)
    ? await ctx.db.query<DestinationRow>(`select ${destinationColumns} from payout_destinations d where d.id = $1 and d.business_id = $2`, [
        id,
        businessId,
      ])
    : []
  if (!row) throw notFound('Destination')
  return presentDestination(ctx, row)
}
