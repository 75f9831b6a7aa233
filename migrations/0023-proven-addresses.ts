import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table accounts
      add email_proven_at timestamptz,
      add default_business_id uuid,
      add foreign key (default_business_id, id) references members (business_id, account_id) on delete set null (default_business_id);
    comment on column accounts.email_proven_at is 'a link that was only ever mailed to the address came back; null: the account may be a stranger''s';
    comment on column accounts.default_business_id is 'chosen by the person: access tokens write for it without X-Business-Id';

    alter table invitations
      drop constraint invitations_purpose_check,
      add constraint invitations_purpose_check check (purpose in ('member', 'operator', 'reset', 'prove')),
      add mail text check (mail in ('waiting', 'sent', 'failed')),
      add keeps uuid[] not null default '{}';
    comment on column invitations.mail is 'null: the link was handed to a person; otherwise only the mailbox has it, and who uses it proves the address';
    comment on column invitations.keeps is 'of a reset: businesses that an unproven account stays a member of';

    create table mails (
      id uuid primary key,
      kind text not null check (kind in ('member', 'operator', 'reset', 'prove')),
      email text not null,
      invitation_id uuid references invitations,
      sealed bytea,
      attempts integer not null default 0,
      next_attempt_at timestamptz not null default now(),
      last_error text,
      created_at timestamptz not null default now(),
      check ((sealed is null) = (invitation_id is null))
    );
    comment on table mails is 'mails that are still to be sent: a row is deleted when its mail was sent or is given up';
    comment on column mails.invitation_id is 'null: a reset that somebody asked for; the worker looks whether there is such an account';
    comment on column mails.sealed is 'the token of the link, sealed with the application''s key and bound to the row';
    create index mails_due on mails (next_attempt_at);
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table mails;
    delete from invitations where purpose = 'prove';
    alter table invitations drop keeps, drop mail, drop constraint invitations_purpose_check,
      add constraint invitations_purpose_check check (purpose in ('member', 'operator', 'reset'));
    alter table accounts drop default_business_id, drop email_proven_at
  `)
}
