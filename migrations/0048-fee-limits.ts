import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Limits of network fees that the operator changes while the processes run. No row is rewritten: the new
 * column has no default.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table fee_limits (
      chain text primary key,
      ceiling numeric(78, 0) check (ceiling > 0),
      budget numeric(78, 0) check (budget > 0),
      updated_at timestamptz not null default now(),
      check (num_nonnulls(ceiling, budget) > 0)
    );
    comment on table fee_limits is 'the operator''s limits of network fees by chain, in base units of the native coin: they lower those of each process''s settings, and never lift them';
    comment on column fee_limits.ceiling is 'of one transaction; null: that of the settings';
    comment on column fee_limits.budget is 'of everything that the treasury signs within 24 hours; null: that of the settings';

    alter table treasury_signatures add max_fee numeric(78, 0);
    comment on column treasury_signatures.max_fee is 'the maximum that the transaction may pay; null: signed by an earlier version';
    create index treasury_signatures_fees on treasury_signatures (chain, signed_at) where max_fee is not null;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(
    'drop index treasury_signatures_fees; alter table treasury_signatures drop max_fee; drop table fee_limits',
  )
}
