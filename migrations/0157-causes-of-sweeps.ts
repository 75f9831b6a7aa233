import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

const tables = ['sweeps', 'fiat_collections'] as const

/**
 * Rows that workers take further remember the span and the request that made them, as in 0198-causes.ts:
 * nothing is rewritten or scanned.
 */
export async function up(db: Queryable): Promise<void> {
  for (const table of tables)
    await db.query(`
      alter table ${table} add traceparent text;
      alter table ${table} add constraint ${table}_traceparent check (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$') not valid;
      comment on column ${table}.traceparent is 'W3C Trace Context of the span that made the row; null: not traced';
      alter table ${table} add request_id text;
      alter table ${table} add constraint ${table}_request_id check (request_id ~ '^[A-Za-z0-9._-]{8,40}$') not valid;
      comment on column ${table}.request_id is 'X-Request-Id of the request that made the row; null: no request'
    `)
}

export async function down(db: Queryable): Promise<void> {
  for (const table of tables)
    await db.query(`alter table ${table} drop column traceparent, drop column request_id`)
}
