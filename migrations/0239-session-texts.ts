import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * What a search by a part reads of older sessions, some forty a row. Each row fits into a page of the table, with
 * bits that rule out most rows without the part. Sessions that no row has yet are read themselves, so that a
 * session costs nothing more to create. A trigram index is read faster, and costs 3.5 kB of the write-ahead log
 * for each session, instead of 200 bytes.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table session_texts (
      business_id uuid not null references businesses,
      last_at timestamptz not null,
      last_id uuid not null,
      first_at timestamptz not null,
      first_id uuid not null,
      texts text not null,
      grams bytea not null,
      primary key (business_id, last_at, last_id)
    );
    alter table session_texts alter texts set storage plain, alter grams set storage plain;
    comment on table session_texts is 'texts of sessions in the order of their creation, without gaps, for searches by a part';
    comment on column session_texts.texts is 'newest first, with chr(30) between two sessions; of each its id and what people read, in lower case, with chr(10) between';
    comment on column session_texts.grams is 'the hashes of three and four letters in a row that the texts have, a bit each'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table session_texts')
}
