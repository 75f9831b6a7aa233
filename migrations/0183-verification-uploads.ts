import type { Queryable } from '../src/platform/database/db.ts'

/** Images and documents of verifications. Their bytes are sealed files. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table verification_uploads (
      id uuid primary key,
      business_id uuid not null references businesses,
      type text not null check (type in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
      bytes integer not null check (bytes > 0),
      data_key bytea not null,
      verification_id uuid references verifications,
      use text check (use in ('document', 'selfie')),
      created_at timestamptz not null default now(),
      constraint verification_uploads_used check ((verification_id is null) = (use is null))
    );
    create index verification_uploads_verification on verification_uploads (verification_id) where verification_id is not null;
    create index verification_uploads_unused on verification_uploads (created_at) where verification_id is null;
    comment on column verification_uploads.data_key is 'the key of its file, sealed with VERIFY_KEY; the row goes when it is erased';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table verification_uploads')
}
