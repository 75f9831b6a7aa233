import type { Queryable } from '../platform/database/db.ts'

const maxAtOnce = 500

/** Transfers that are due, longest waiting first. The rows are their own outbox. */
export async function dueBridge(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select id from bridge_transfers where next_at <= now() order by next_at limit $1',
    [maxAtOnce],
  )
  return rows.map(({ id }) => id)
}
