import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** Rows whose work another process does later. */
const remembering = ['outbox', 'watches', 'outflows', 'intents'] as const
/** Rows that only continue a trace. */
const traced = [...remembering, 'events', 'webhook_queue'] as const

/**
 * Rows remember the span and the request that made them. Nothing is rewritten or scanned: the columns are
 * null in old rows, and the checks hold for new ones (`not valid`). The version before does not name them.
 */
export async function up(db: Queryable): Promise<void> {
  for (const table of traced)
    await db.query(`
      alter table ${table} add traceparent text;
      alter table ${table} add constraint ${table}_traceparent check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$') not valid;
      comment on column ${table}.traceparent is 'W3C Trace Context of the span that made the row; null: not traced'
    `)
  for (const table of remembering)
    await db.query(`
      alter table ${table} add request_id text;
      alter table ${table} add constraint ${table}_request_id check (request_id ~ '^[A-Za-z0-9._-]{8,40}$') not valid;
      comment on column ${table}.request_id is 'X-Request-Id of the request that made the row; null: none did'
    `)
  // In a statement of its own: a turn waits for its endpoint's lock, and claims rows that its caller's
  // snapshot does not have.
  await db.query(`
    create function webhook_traceparent(of_delivery uuid) returns text language plpgsql volatile as $$
      begin return (select q.traceparent from webhook_queue q where q.delivery_id = of_delivery); end $$;
    comment on function webhook_traceparent is 'of a delivery that is still to be made'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop function webhook_traceparent(uuid)')
  for (const table of traced) await db.query(`alter table ${table} drop column traceparent`)
  for (const table of remembering) await db.query(`alter table ${table} drop column request_id`)
}
