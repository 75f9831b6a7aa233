import type { Queryable } from '../src/platform/database/db.ts'

/**
 * When a session last showed its second factor. Of sessions that started before, at their start: they request
 * it again.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table sign_ins add factor_at timestamptz;
    comment on column sign_ins.factor_at is 'when the second factor was last given in it; null: never';
    update sign_ins set factor_at = created_at where factor is not null;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table sign_ins drop factor_at')
}
