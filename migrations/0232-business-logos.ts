import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** Logos of businesses, for their customers. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table business_logos (
      business_id uuid primary key references businesses,
      hash text not null,
      type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
      image bytea not null check (length(image) <= 262144),
      created_at timestamptz not null
    );
    comment on table business_logos is 'images that checkout page and till show; anyone who knows the hash of one may fetch it';
    comment on column business_logos.hash is 'SHA-256 of the image, base64url';
    comment on column business_logos.image is 'as it was checked: without metadata, and nothing behind its end';
    create index business_logos_hash on business_logos (hash)
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table business_logos')
}
