import type { Queryable } from '../platform/database/db.ts'
import { prepared } from '../platform/database/prepared.ts'

const selectHeights = prepared('select chain, height from chain_cursors where height is not null')

/** Height of the newest committed block, by chain. */
export async function readHeights(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ chain: string; height: string }>(selectHeights, [])
  return new Map(rows.map((row) => [row.chain, Number(row.height)]))
}
