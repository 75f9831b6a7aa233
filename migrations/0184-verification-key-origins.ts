import type { Queryable } from '../src/platform/database/db.ts'

/** Web sites that may use a publishable key in a browser. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table verification_keys
      add column origins text[] not null default '{}',
      add constraint verification_keys_origins check (kind = 'publishable' or origins = '{}');
    create index verification_keys_of_origin on verification_keys using gin (origins) where origins <> '{}' and revoked_at is null;
    comment on column verification_keys.origins is 'of publishable keys: web origins, as browsers send them';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop index verification_keys_of_origin;
    alter table verification_keys drop constraint verification_keys_origins, drop column origins;
  `)
}
