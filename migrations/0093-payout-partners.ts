import type { Queryable } from '../src/platform/database/db.ts'

/** Payout partners: pauses, balances, top-ups, and the daily comparison with their lists of payments. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows add absent_since timestamptz;
    comment on column outflows.absent_since is 'of a bank payout: the partner said then that it does not have it; null: it did not, or has it';

    create table partner_pauses (
      id bigint generated always as identity primary key,
      partner text not null,
      reason text not null,
      paused_by text not null,
      paused_at timestamptz not null default now(),
      resumed_by text,
      resumed_at timestamptz,
      constraint partner_pauses_end check ((resumed_by is null) = (resumed_at is null))
    );
    create unique index partner_pauses_open on partner_pauses (partner) where resumed_at is null;
    comment on table partner_pauses is 'while a partner is paused, no payout is submitted to it';
    comment on column partner_pauses.paused_by is 'as the audit log names them';

    create table partner_balances (
      partner text not null,
      currency text not null,
      available numeric not null,
      read_at timestamptz not null,
      primary key (partner, currency)
    );
    comment on table partner_balances is 'the account at a partner, as a worker read it last';

    create table partner_top_ups (
      outflow_id uuid primary key references outflows,
      partner text not null,
      available numeric not null,
      under_way numeric not null,
      made_at timestamptz not null default now(),
      ended_at timestamptz,
      outcome text check (outcome in ('arrived', 'failed', 'missing')),
      constraint partner_top_ups_end check ((ended_at is null) = (outcome is null))
    );
    create unique index partner_top_ups_open on partner_top_ups (partner) where ended_at is null;
    comment on table partner_top_ups is 'one at a time for each partner, until it is seen in the balance';
    comment on column partner_top_ups.available is 'the balance when it was made, in millionths of a US dollar';
    comment on column partner_top_ups.under_way is 'the most that payouts under way could cost then, in millionths of a US dollar';

    create table partner_comparisons (
      id bigint generated always as identity primary key,
      partner text not null,
      since timestamptz not null,
      until timestamptz not null,
      payments integer not null,
      payouts integer not null,
      drift numeric,
      ended_at timestamptz not null default now()
    );
    create index partner_comparisons_newest on partner_comparisons (partner, id);
    comment on column partner_comparisons.drift is 'what the balance has above the books, in millionths of a US dollar; null: payouts were under way, or it did not say';

    create table partner_mismatches (
      comparison_id bigint not null references partner_comparisons,
      place text not null check (place in ('partner', 'books')),
      problem text not null,
      outflow_id uuid,
      partner_payment_id text,
      constraint partner_mismatches_subject check (outflow_id is not null or partner_payment_id is not null)
    );
    create index partner_mismatches_comparison on partner_mismatches (comparison_id);
    comment on column partner_mismatches.place is 'what is too much: a payment in the partner''s list, or a payout in ours';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table partner_mismatches;
    drop table partner_comparisons;
    drop table partner_top_ups;
    drop table partner_balances;
    drop table partner_pauses;
    alter table outflows drop absent_since
  `)
}
