import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds an index while rows are written only outside of a transaction. */
export const inTransaction = false

/** Payouts and approvals of a batch; and payouts by their reference, which a batch may not use again. */
const indexes = {
  outflows_batch: 'outflows (batch_id, id) where batch_id is not null',
  outflows_reference: 'outflows (business_id, reference) where reference is not null',
  approvals_batch: 'approvals (batch_id) where batch_id is not null',
}

export async function up(db: Queryable): Promise<void> {
  for (const [name, on] of Object.entries(indexes)) {
    // An interrupted run leaves an index that is not valid. Of two runs at once, one leaves the other's out.
    await db.query(`drop index concurrently if exists ${name}`)
    await db.query(`create index concurrently if not exists ${name} on ${on}`)
  }
}

export async function down(db: Queryable): Promise<void> {
  for (const name of Object.keys(indexes)) await db.query(`drop index concurrently if exists ${name}`)
}
