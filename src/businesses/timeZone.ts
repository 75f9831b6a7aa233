import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { Queryable } from '../platform/database/db.ts'
import type { ModelTx } from '../platform/database/modelDb.ts'
import type { Business } from './model.ts'

/** The zone of a business's days and months, by its IANA name. */
export async function readTimeZone(db: Queryable, businessId: string): Promise<string> {
  const [row] = await db.query<{ timeZone: string }>(
    'select time_zone as "timeZone" from businesses where id = $1',
    [businessId],
  )
  if (!row) throw new Error(`business ${businessId} does not exist`)
  return row.timeZone
}

/**
 * Days that are counted from now on are of the new zone. A closed month keeps its bounds, and the next one
 * begins where it ended.
 * @param business locked by the transaction @param timeZone known to be one
 */
export async function storeTimeZone(
  tx: ModelTx,
  actor: Actor,
  business: Business,
  timeZone: string,
): Promise<void> {
  const before = { timeZone: business.timeZone }
  if (before.timeZone === timeZone) return
  await business.update({ timeZone }, { transaction: tx.transaction })
  await recordAudit(tx, actor, {
    businessId: business.id,
    action: 'business.time_zone_changed',
    target: business.id,
    before,
    after: { timeZone },
  })
}
