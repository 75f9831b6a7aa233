import type { Queryable } from '../src/platform/database/db.ts'

/** First and last height, inclusive. */
export interface HeightRange {
  from: number
  to: number
}

const gapsIn = (column: 'covered' | 'traced', whole: string) => `
  select lower(gap)::bigint as from, upper(gap)::bigint - 1 as to
  from chain_cursors, unnest(${whole} - ${column}) as gap where chain = $1 and height is not null order by 1`

/**
 * Heights up to the cursor that were never read: holes in the record, and those below the first one read if
 * an earlier start is configured.
 * @param startAt the first height that must be read; undefined: the first one read
 */
export async function gapsOf(
  db: Queryable,
  chain: string,
  startAt: number | undefined,
): Promise<HeightRange[]> {
  const rows = await db.query<{ from: string; to: string }>(
    gapsIn(
      'covered',
      'int8multirange(int8range(least(coalesce($2::bigint, lower(covered), height + 1), height + 1), height + 1))',
    ),
    [chain, startAt ?? null],
  )
  return rows.map(toRange)
}

/** Heights that were read without their internal transfers. */
export async function untracedOf(db: Queryable, chain: string): Promise<HeightRange[]> {
  return (await db.query<{ from: string; to: string }>(gapsIn('traced', 'covered'), [chain])).map(toRange)
}

export interface Coverage {
  /** Blocks at or below the cursor that were read. */
  blocks: number
  gaps: number
  untraced: number
}

/** How much of a chain was read, for metrics. */
export async function coverageOf(db: Queryable, chain: string): Promise<Coverage> {
  const [row] = await db.query<{ blocks: string; gaps: string; untraced: string }>(
    `select (select coalesce(sum(upper(r) - lower(r)), 0) from unnest(covered) r) as blocks,
       (select coalesce(sum(upper(r) - lower(r)), 0) from unnest(int8multirange(int8range(lower(covered), height + 1)) - covered) r) as gaps,
       (select coalesce(sum(upper(r) - lower(r)), 0) from unnest(covered - traced) r) as untraced
     from chain_cursors where chain = $1 and height is not null`,
    [chain],
  )
  return {
    blocks: Number(row?.blocks ?? 0),
    gaps: Number(row?.gaps ?? 0),
    untraced: Number(row?.untraced ?? 0),
  }
}

/** Blocks that imports still have to read. */
export async function importBlocksLeft(db: Queryable, chain: string): Promise<number> {
  const [row] = await db.query<{ left: string }>(
    "select coalesce(sum(to_height - next_height + 1), 0) as left from monitoring_imports where chain = $1 and status in ('pending', 'begun', 'running')",
    [chain],
  )
  return Number(row?.left ?? 0)
}

const toRange = (row: { from: string; to: string }): HeightRange => ({
  from: Number(row.from),
  to: Number(row.to),
})
