import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table approvals (
      id uuid primary key,
      business_id uuid not null references businesses,
      subject text not null check (subject in ('transfer')),
      subject_id uuid not null,
      asked_by_account uuid references accounts,
      asked_by_key uuid references api_keys,
      asked_at timestamptz not null default now(),
      expires_at timestamptz not null,
      decision text check (decision in ('approved', 'refused')),
      decided_by uuid references accounts,
      decided_at timestamptz,
      unique (subject, subject_id),
      check (num_nonnulls(asked_by_account, asked_by_key) = 1),
      check ((decision is null) = (decided_by is null)),
      check ((decision is null) = (decided_at is null)),
      check (decision is distinct from 'approved' or decided_by is distinct from asked_by_account)
    );
    comment on table approvals is 'what a second member has to approve before it goes on; who decides is never who asked';
    comment on column approvals.subject_id is 'of a transfer: its row in outgoing';
    create index approvals_list on approvals (business_id, id);
    create index approvals_waiting on approvals (business_id, expires_at) where decision is null;

    alter table outgoing add needs_approval boolean not null default false;
    comment on column outgoing.needs_approval is 'nothing of it is planned or signed before a second member has approved it';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table outgoing drop needs_approval; drop table approvals')
}
