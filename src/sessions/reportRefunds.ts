import type { Tx } from '../platform/database/db.ts'
import type { RefundRecord } from './readRefunds.ts'

/**
 * Marks refunds that have arrived since the session was settled last, so that each is reported once.
 * @returns their ids, in order of arrival
 */
export async function markReported(tx: Tx, refunds: readonly RefundRecord[]): Promise<string[]> {
  const arrived = refunds.filter(({ status, isReported }) => status === 'completed' && !isReported)
  if (arrived.length === 0) return []
  const marked = await tx.query<{ id: string }>(
    "update outflows set reported_at = now() where id = any($1::uuid[]) and status = 'completed' and reported_at is null returning id",
    [arrived.map(({ id }) => id)],
  )
  const ids = new Set(marked.map(({ id }) => id))
  const byArrival = arrived.toSorted(
    (a, b) => (a.completedAt?.getTime() ?? 0) - (b.completedAt?.getTime() ?? 0),
  )
  return byArrival.filter(({ id }) => ids.has(id)).map(({ id }) => id)
}
