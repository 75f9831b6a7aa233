import type { Queryable } from '../src/platform/database/db.ts'

// A transfer from a stored wallet can be cancelled, and can have a deadline. Only metadata changes: no row is
// rewritten or read.

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents add valid_until timestamptz, add cancel_requested_at timestamptz, add cancel_proof bytea;
    comment on column intents.valid_until is 'from then on it is cancelled; null: no deadline';
    comment on column intents.cancel_requested_at is 'when its business cancelled it; null: it did not';
    comment on column intents.cancel_proof is 'signature of the api over the cancellation, for the treasury';
    alter table intent_attempts add cancels boolean not null default false;
    comment on column intent_attempts.cancels is 'EVM: moves nothing, and uses up the nonce of a cancelled intent';
  `)
}

/**
 * Refuses while the version before would not understand what is open, or would show a cancelled transfer as
 * confirmed.
 */
export async function down(db: Queryable): Promise<void> {
  const [newer] = await db.query(
    `select 1 from intents where next_reconcile_at is not null and (valid_until is not null or cancel_requested_at is not null) limit 1`,
  )
  if (newer)
    throw new Error(
      'there are open transfers with a deadline or a cancellation: the version before cannot carry them out',
    )
  await db.query(`
    alter table intent_attempts drop cancels;
    alter table intents drop cancel_proof, drop cancel_requested_at, drop valid_until;
  `)
}
