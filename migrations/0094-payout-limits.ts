import type { Queryable } from '../src/platform/database/db.ts'

/** Limits and approvals of payouts, and the answers of a screening. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table payout_settings add column limits jsonb not null default '{}';
    comment on column payout_settings.limits is 'in US dollars, each with the higher one that was asked for and when it applies';
    alter table outflows
      add column counted_at timestamptz,
      add column sent_at timestamptz;
    comment on column outflows.counted_at is 'since when it counts against the limit of its business for a day';
    comment on column outflows.sent_at is 'the first time that it may have left';
    create index outflows_counted on outflows (business_id, greatest(counted_at, completed_at)) where counted_at is not null;
    create index outflows_open on outflows (business_id) where status not in ('completed', 'failed', 'cancelled');
    alter table approvals drop constraint approvals_subject_check, drop constraint approvals_wanted_check,
      add constraint approvals_subject_check check (subject in ('transfer', 'payout', 'limits', 'owner')),
      add constraint approvals_wanted_check check ((subject in ('transfer', 'payout')) = (wanted is null));
    create table outflow_screenings (
      outflow_id uuid primary key references outflows,
      target bytea not null,
      decision text check (decision in ('allow', 'deny')),
      reason text,
      tries integer not null default 0,
      asked_at timestamptz not null default now()
    );
    comment on table outflow_screenings is 'what the screening of the operator said of an outflow; no decision: it was held so far';
    comment on column outflow_screenings.target is 'a hash of what was asked about, without an account number';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table outflow_screenings;
    delete from approvals where subject = 'payout';
    alter table approvals drop constraint approvals_subject_check, drop constraint approvals_wanted_check,
      add constraint approvals_subject_check check (subject in ('transfer', 'limits', 'owner')),
      add constraint approvals_wanted_check check ((subject = 'transfer') = (wanted is null));
    drop index outflows_open;
    alter table outflows drop column counted_at, drop column sent_at;
    alter table payout_settings drop column limits;
    delete from idempotency_keys where answer_kind = 'payout';
  `)
}
