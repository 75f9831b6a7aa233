import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The price of a bank payout has a time and a proof of its own, and the amount that was last agreed to. Rows
 * of before keep version 1 of their proof: their price has no time, so it is renewed, and proven, before they
 * leave.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows
      add proof_version smallint not null default 1 check (proof_version in (1, 2)),
      add priced_at timestamptz,
      add agreed_amount numeric(78, 0) check (agreed_amount > 0),
      add priced_by text check (priced_by in ('api', 'worker')),
      add price_proof bytea;
    comment on column outflows.proof_version is '1: of a version that did not prove prices';
    comment on column outflows.priced_at is 'of a bank payout: when its price was decided; null: it has none, or it is of an earlier version';
    comment on column outflows.agreed_amount is 'what the bank was to get by the price that was last agreed to; null: by the present one';
    comment on column outflows.priced_by is 'the process that proves the price';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table outflows drop proof_version, drop priced_at, drop agreed_amount, drop priced_by, drop price_proof
  `)
}
