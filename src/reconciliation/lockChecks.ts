import type { Tx } from '../platform/database/db.ts'

/** Until the end of the transaction, no other process starts a check of this chain, or books one. */
export const lockChecks = (tx: Tx, chain: string): Promise<unknown> =>
  tx.query("select pg_advisory_xact_lock(hashtextextended('cowry chain check ' || $1, 0))", [chain])
