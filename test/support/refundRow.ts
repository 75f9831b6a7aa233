import type { Queryable } from '../../src/platform/database/db.ts'

/** What `createRefund` stores with a refund to an address; nothing for other outflows. */
export async function insertRefundRow(
  db: Queryable,
  { id, kind }: { id: string; kind: string },
): Promise<void> {
  if (kind === 'refund') await db.query("insert into refunds (outflow_id, kind) values ($1, 'amount')", [id])
}
