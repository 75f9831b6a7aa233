import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table events add erased_at timestamptz;
    alter table webhook_deliveries add erased_at timestamptz;
    comment on column events.erased_at is 'when its data were blanked on request; it is sent no more';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table webhook_deliveries drop erased_at; alter table events drop erased_at')
}
