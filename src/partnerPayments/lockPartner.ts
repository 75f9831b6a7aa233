import type { Queryable } from '../platform/database/db.ts'

/**
 * Locks what is submitted to a partner until the transaction ends: one at a time counts what is left, and a
 * pause waits.
 */
export const lockPartner = (db: Queryable, partner: string) =>
  db.query("select pg_advisory_xact_lock(hashtext('cowry/partner'), hashtext($1))", [partner])
