import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true
/** Postgres builds an index while rows are written only outside of a transaction. */
export const inTransaction = false

/** What the overview of a business reads of its sessions, without the rows of the table where it can. */
const indexes = {
  pos_sessions_taken: `pos_sessions (business_id, paid_at)
    include (chain, token, amount_expected, amount_tolerated, amount_settled, amount_accepted, amount_credited, local_amount, local_currency) where paid_at is not null`,
  pos_sessions_unpaid: `pos_sessions (business_id, (coalesce(cancelled_at, expires_at))) include (cancelled_at, expires_at) where status in ('expired', 'cancelled')`,
  pos_sessions_undecided: `pos_sessions (business_id, created_at desc) where exception <> 'none' and resolution is null and (held_until is not null or amount_credited is null)`,
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
