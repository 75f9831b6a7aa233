import { approvalsOf } from '../approvals/approvalsOf.ts'
import { type DestinationRow, destinationColumns } from '../destinations/destination.ts'
import { type Outflow, readOutflows } from '../outflows/outflow.ts'
import { readOutflowIntents } from '../outflows/outflowIntent.ts'
import type { Queryable } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import type { Secret } from '../platform/secrets.ts'
import { type PayoutView, presentPayout } from './presentPayout.ts'

/** Payouts of one business with all that is shown of them, in the order given. */
export async function presentPayouts(
  ctx: { appKey: Secret },
  db: Queryable,
  businessId: string,
  outflows: readonly Outflow[],
): Promise<PayoutView[]> {
  const ids = outflows.map(({ destinationId }) => destinationId)
  const rows = await db.query<DestinationRow>(
    `select ${destinationColumns} from payout_destinations d where d.id = any($1::uuid[]) and d.business_id = $2`,
    [ids, businessId],
  )
  const destinations = new Map(rows.map((row) => [row.id, row]))
  const sent = await readOutflowIntents(db, outflows)
  const approvals = await approvalsOf(
    db,
    'payout',
    outflows.map(({ id }) => id),
  )
  return outflows.map((outflow) => {
    const destination = outflow.destinationId === null ? undefined : destinations.get(outflow.destinationId)
    if (!destination) throw new Error(`payout ${outflow.id} has no destination`)
    return presentPayout(ctx, outflow, {
      destination,
      approval: approvals.get(outflow.id) ?? null,
      sent: sent.get(outflow.id) ?? null,
    })
  })
}

export async function presentOne(
  ctx: { appKey: Secret },
  db: Queryable,
  outflow: Outflow,
): Promise<PayoutView> {
  if (outflow.businessId === null) throw new Error(`outflow ${outflow.id} belongs to no business`)
  const [view] = await presentPayouts(ctx, db, outflow.businessId, [outflow])
  if (!view) throw new Error(`payout ${outflow.id} is gone`)
  return view
}

/**
 * A payout of the business.
 * @param lock `for update` in a transaction
 * @throws ApiError 404, also for another business's payout
 */
export async function findPayout(
  db: Queryable,
  businessId: string,
  id: string,
  lock: '' | 'for update' = '',
): Promise<Outflow> {
  const [outflow] = isUuid(id)
    ? await readOutflows(db, `id = $1 and business_id = $2 and kind = 'payout' ${lock}`, [id, businessId])
    : []
  if (!outflow) throw notFound('Payout')
  return outflow
}
