import type { Queryable } from '../src/platform/database/db.ts'

/**
 * An outflow is ended by hand by two operators: one proposes it with evidence, another one approves. Ends of
 * before stay as they are.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table outflow_ends (
      id uuid primary key,
      outflow_id uuid not null references outflows,
      revision integer not null,
      status text not null check (status in ('completed', 'failed')),
      paid_by_platform boolean not null,
      evidence text not null,
      tx_id text,
      partner_payment_id text,
      partner_cost numeric(78, 0) check (partner_cost > 0),
      proposed_by uuid not null references accounts,
      proposed_at timestamptz not null default now(),
      expires_at timestamptz not null,
      decision text check (decision in ('approved', 'refused')),
      decided_by uuid references accounts,
      decided_at timestamptz,
      constraint outflow_ends_decided check (num_nulls(decision, decided_by, decided_at) in (0, 3)),
      constraint outflow_ends_two_people check (decision is distinct from 'approved' or decided_by <> proposed_by),
      constraint outflow_ends_paid check (status = 'completed' or (not paid_by_platform and tx_id is null and partner_payment_id is null))
    );
    create index outflow_ends_waiting on outflow_ends (proposed_at) where decision is null;
    create index outflow_ends_outflow on outflow_ends (outflow_id);
    comment on table outflow_ends is 'ends of outflows that one operator proposed with evidence; carried out in the transaction in which another one approves';
    comment on column outflow_ends.revision is 'of the outflow, as the proposer has seen it';
    comment on column outflow_ends.paid_by_platform is 'the platform has paid it in another way, from its own capital';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table outflow_ends')
}
