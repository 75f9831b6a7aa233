import type { Queryable } from '../src/platform/database/db.ts'

/** The partner's answer, and what waits, before money is given back in a restored database. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows add partner_asked_at timestamptz, add release_waits boolean not null default false;
    comment on column outflows.partner_asked_at is 'the partner said then, after a restore, that it does not have it';
    comment on column outflows.release_waits is 'an automatic payout whose payment was reversed while the database was restored: its session is settled again';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table outflows drop column partner_asked_at, drop column release_waits')
}
