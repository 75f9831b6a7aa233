import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The last good list of banks of a payout partner, and when and where the rate of a session's price was
 * observed.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table partner_banks (
      partner text not null,
      url text not null,
      banks jsonb check (jsonb_array_length(banks) > 0),
      as_of timestamptz,
      asked_at timestamptz,
      next_ask_at timestamptz not null,
      primary key (partner, url),
      check ((banks is null) = (as_of is null))
    );
    comment on table partner_banks is 'the last good answer of each partner: one row, which the next good answer replaces';
    comment on column partner_banks.url is 'where it was asked: a test system has other banks';
    comment on column partner_banks.banks is 'null: it never answered with any';
    comment on column partner_banks.as_of is 'when it was asked for these';
    comment on column partner_banks.asked_at is 'a process has been asking since then; null: no process is';

    alter table pos_sessions add column rate_at timestamptz, add column rate_source text;
    comment on column pos_sessions.rate_at is 'when the partner observed the rate; null without a rate, and in sessions of earlier versions';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(
    'alter table pos_sessions drop column rate_at, drop column rate_source; drop table partner_banks',
  )
}
