import type { Queryable } from '../src/platform/database/db.ts'

// Transfers on Stellar may wait for the recipient's trustline, or become a claimable balance. Only metadata
// changes: no row is rewritten or read.

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents
      add if_no_trustline text,
      add wait_until timestamptz,
      add constraint intents_if_no_trustline_check check (case if_no_trustline
        when 'wait' then wait_until is not null and contract is not null
        when 'claimable' then wait_until is null and contract is not null
        else if_no_trustline is null and wait_until is null
        end) not valid;
    comment on column intents.if_no_trustline is 'what happens while the recipient cannot hold the token; null: it fails';
    comment on column intents.wait_until is 'of if_no_trustline = wait: it fails afterwards';
  `)
}

/** Refuses while there are transfers that the version before would send in another way. */
export async function down(db: Queryable): Promise<void> {
  const [open] = await db.query(
    'select 1 from intents where if_no_trustline is not null and next_reconcile_at is not null limit 1',
  )
  if (open)
    throw new Error('there are unsettled transfers with ifNoTrustline: the version before cannot send them')
  await db.query(
    'alter table intents drop constraint intents_if_no_trustline_check, drop wait_until, drop if_no_trustline',
  )
}
