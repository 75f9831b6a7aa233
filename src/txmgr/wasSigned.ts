import type { Queryable } from '../platform/database/db.ts'

/** Checks if the treasury has signed a transaction of an intent, sent or not. */
export const wasSigned = async (db: Queryable, intentId: string): Promise<boolean> =>
  (await db.query('select 1 from treasury_signatures where intent_id = $1 limit 1', [intentId])).length > 0
