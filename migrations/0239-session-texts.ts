import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/**
 * What a search by a part reads of older sessions, some fifty a row: each row fits into a page of the table, and
 * Postgres looks through a page as fast as through memory. Sessions that no row has yet are read themselves, so
 * that a session costs nothing more to create. A trigram index finds faster, and costs 3.5 kB of the write-ahead
 * log for each session instead of 130 bytes.
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
      primary key (business_id, last_at, last_id)
    );
    alter table session_texts alter texts set storage plain;
    comment on table session_texts is 'texts of sessions in the order of their creation, without gaps, for searches by a part';
    comment on column session_texts.texts is 'newest first, with chr(30) between two sessions; of each its id and what people read, in lower case, with chr(10) between'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table session_texts')
}
