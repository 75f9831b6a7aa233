import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Failed payments of stakes that an operator has released: each may be replaced once more. Stakes that exist
 * have no retries.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table stake_retries (
      intent_id uuid primary key references stake_payments (intent_id),
      evidence text not null check (evidence <> ''),
      proof bytea not null,
      created_at timestamptz not null default now()
    );
    comment on table stake_retries is 'payments that an operator has seen to have failed, and lets the treasury replace';
    comment on column stake_retries.proof is 'by the key of the API, which the command of the operator has'
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table stake_retries')
}
