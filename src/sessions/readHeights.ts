import type { Queryable } from '../platform/db.ts'

/** Height of the newest committed block, by chain. */
export async function readHeights(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ chain: string; height: string }>('select chain, height from chain_cursors where height is not null')
  return new Map(rows.map((row) => [row.chain, Number(row.height)]))
}
