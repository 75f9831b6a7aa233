import type { Queryable } from '../src/platform/database/db.ts'

/**
 * What the worker has read of the transaction that staked. Stakes of before get theirs with their next step.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table stake_confirmations (
      root_id uuid primary key references stakes (id),
      tx_id text not null,
      block_height bigint not null,
      block_id text not null,
      proof bytea not null,
      created_at timestamptz not null default now()
    );
    comment on table stake_confirmations is 'transactions of stakes that the worker has asked the chain for, and found to be confirmed';
    comment on column stake_confirmations.proof is 'of the worker';
    comment on column intent_attempts.proof is 'of the worker: terms, nonce and what is given up; of the api: it has signed the transaction with a key of the request'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table stake_confirmations;
    comment on column intent_attempts.proof is 'signature of the worker over terms, nonce and what is given up'
  `)
}
