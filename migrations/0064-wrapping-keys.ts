import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table seeds add wrapping_key text;
    alter table wallet_keys add wrapping_key text;
    comment on column seeds.wrapping_key is 'which of the provider''s keys wrapped the data key; null: the only one of an earlier version';
    comment on column wallet_keys.wrapping_key is 'which of the provider''s keys wrapped the data key; null: the only one of an earlier version';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table wallet_keys drop wrapping_key; alter table seeds drop wrapping_key')
}
