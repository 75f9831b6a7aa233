import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Adjustments of the books: one operator proposes, another one approves. A payment in suspense that was given
 * to a business names it. Only metadata of the tables of before change.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table suspense_payments add business_id uuid references businesses;
    comment on column suspense_payments.business_id is 'the business that operators gave it to; null: owed to an unknown owner';

    create table ledger_adjustments (
      id uuid primary key,
      business_id uuid references businesses,
      debit text not null,
      credit text not null,
      asset text not null,
      amount numeric(78, 0) not null check (amount > 0),
      reason text not null,
      suspense_payment uuid references suspense_payments,
      proposed_by uuid not null references accounts,
      proposed_at timestamptz not null default now(),
      expires_at timestamptz not null,
      decision text check (decision in ('approved', 'refused')),
      decided_by uuid references accounts,
      decided_at timestamptz,
      constraint ledger_adjustments_two_accounts check (debit <> credit),
      constraint ledger_adjustments_decided check (num_nulls(decision, decided_by, decided_at) in (0, 3)),
      constraint ledger_adjustments_two_people check (decision is distinct from 'approved' or decided_by <> proposed_by)
    );
    create index ledger_adjustments_waiting on ledger_adjustments (id) where decision is null;
    -- A payment is given once.
    create unique index ledger_adjustments_suspense on ledger_adjustments (suspense_payment) where decision = 'approved';
    comment on table ledger_adjustments is 'proposed by one operator, posted in the transaction in which another one approves';
    comment on column ledger_adjustments.amount is 'base units; of a payment in suspense: when it was proposed';
  `)
}

export async function down(db: Queryable): Promise<void> {
  const given = await db.query('select 1 from suspense_payments where business_id is not null limit 1')
  if (given.length > 0)
    throw new Error('payments in suspense were given to businesses: the version before would book them back')
  await db.query('drop table ledger_adjustments; alter table suspense_payments drop business_id')
}
