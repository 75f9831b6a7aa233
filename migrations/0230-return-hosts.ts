import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** Hosts that a checkout page may link back to. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table businesses add return_hosts text[] default '{}' not null;
    comment on column businesses.return_hosts is 'hosts that the returnUrl of a session may have'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table businesses drop return_hosts')
}
