import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** The days and months of a business are those of its time zone. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table businesses add column time_zone text not null default 'UTC';
    comment on column businesses.time_zone is 'IANA name: its days and months are those of this zone'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table businesses drop column time_zone')
}
