import type { Queryable } from '../platform/database/db.ts'

const maxAtOnce = 200

/** Stakes that a worker can take further. */
export async function dueStakes(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from stakes where next_at <= now() order by next_at limit $1',
    [maxAtOnce],
  )
  return rows.map(({ id }) => id)
}
