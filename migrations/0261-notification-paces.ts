import type { Queryable } from '../src/platform/database/db.ts'

export const expands = true

/** How often a member was mailed about a kind of event of late: while more comes, mails are further apart. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table notification_paces (
      business_id uuid not null,
      account_id uuid not null,
      kind text not null,
      mails integer not null check (mails > 0),
      ends_at timestamptz not null,
      primary key (business_id, account_id, kind),
      foreign key (business_id, account_id) references members on delete cascade
    );
    comment on table notification_paces is 'mails about one kind of event to one member without a quiet hour between them';
    comment on column notification_paces.mails is 'how many there were';
    comment on column notification_paces.ends_at is 'an hour after the next may be made: without a mail until then, the next one is the first again'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table notification_paces')
}
