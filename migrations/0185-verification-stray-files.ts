import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Files that no upload has: of a body that is arriving, or of an upload that was dropped. Each sealed file
 * has a row here or an upload.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table verification_stray_files (
      id uuid primary key,
      drop_after timestamptz not null
    );
    create index verification_stray_files_due on verification_stray_files (drop_after);
    create index verification_uploads_unused_of on verification_uploads (business_id) include (bytes) where verification_id is null;
    comment on table verification_stray_files is 'files that no upload has; written before a file is, and in the transaction that drops an upload';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop index verification_uploads_unused_of; drop table verification_stray_files')
}
