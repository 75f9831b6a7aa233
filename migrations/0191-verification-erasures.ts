import type { Queryable } from '../src/platform/database/db.ts'

/** Erasures are also in a log outside the database, so that a restored backup does not bring data back. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table verifications add column erasure_noted_at timestamptz;
    create index verifications_erasures on verifications (erased_at) where erased_at is not null and erasure_noted_at is null;
    comment on column verifications.erasure_noted_at is 'when its erasure was added to the log in the folder of uploads';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table verifications drop column erasure_noted_at')
}
