import type { Queryable } from '../platform/database/db.ts'

/**
 * The difference between an entry's id, made by a process's clock, and its time, by the database's, that is
 * usual. Larger ones are recorded.
 */
export const idDriftMs = 3_600_000

/** The largest difference of any entry. Read it in the snapshot of the entries. */
export async function maxIdDrift(tx: Queryable): Promise<number> {
  const [row] = await tx.query<{ ms: string | null }>('select max(ms)::text as ms from ledger_id_drifts')
  return Math.max(idDriftMs, Number(row?.ms ?? 0))
}
