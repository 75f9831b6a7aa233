import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Requests to the treasury carry a proof by the process entitled to write them; signed transactions are
 * stored where no other process writes.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outgoing add proof bytea;
    comment on column outgoing.proof is 'signature of the api over what is to be sent; null: stored by an earlier version, or signed without the treasury';
    alter table approvals add proof bytea;
    comment on column approvals.proof is 'signature of the api over who asked for what, and who approved it when';
    alter table outgoing_transactions add given_up text[] not null default '{}', add proof bytea;
    comment on column outgoing_transactions.given_up is 'transactions of the intent that can never come, by the word of the worker that asks for this one';
    comment on column outgoing_transactions.proof is 'signature of the worker over terms, sequence and what is given up';

    create table treasury_signatures (
      outgoing_id uuid not null,
      chain text not null,
      tx_id text not null,
      sequence numeric(20, 0),
      expires_at timestamptz,
      signed_at timestamptz not null default now(),
      primary key (outgoing_id, tx_id)
    );
    comment on table treasury_signatures is 'everything that the treasury has signed, by its own hand: rows are added and never changed';
    insert into treasury_signatures (outgoing_id, chain, tx_id, sequence, expires_at, signed_at)
      select t.outgoing_id, t.chain, t.tx_id, t.sequence, t.expires_at, t.signed_at from outgoing_transactions t join outgoing o on o.id = t.outgoing_id
      where o.signer = 'wallet' and t.tx_id is not null;
    create trigger treasury_signatures_append_only before update or delete or truncate on treasury_signatures
      for each statement execute function refuse_change();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table treasury_signatures;
    alter table outgoing_transactions drop given_up, drop proof;
    alter table approvals drop proof;
    alter table outgoing drop proof;
  `)
}
