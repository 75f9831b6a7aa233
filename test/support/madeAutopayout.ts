import type { Queryable } from '../../src/platform/database/db.ts'
import { makeDestination, type WantedDestination } from './madeDestination.ts'

/** Switches autopayout of USDC on ethereum on, to a destination that is made for it. */
export async function makeAutopayout(
  db: Queryable,
  businessId: string,
  to: WantedDestination,
): Promise<void> {
  await db.query(
    "insert into autopayout_settings (business_id, chain, token, enabled, destination_id) values ($1, 'ethereum', 'USDC', true, $2)",
    [businessId, await makeDestination(db, businessId, to)],
  )
}
