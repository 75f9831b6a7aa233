import type { Queryable } from '../src/platform/database/db.ts'

const unstaked = (proven: string) => `status <> 'unstaking'
  or (unstaked_at is not null and ${proven} and penalty is not null and rewards is not null)`

/** The check of unstaked stakes had no name of its own. */
const dropUnstaked = `
  do $$ declare named text; begin
    select conname into named from pg_constraint
      where conrelid = 'stakes'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%unstake_proof%';
    execute format('alter table stakes drop constraint %I', named);
  end $$;`

/**
 * Native stakes: the chain's state of them, and the transactions that unstake and withdraw them. The
 * treasury does not pay them, so they have no proofs.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    ${dropUnstaked}
    alter table stakes
      add rent numeric(78, 0) check (rent >= 0),
      add chain_state text check (chain_state in ('undelegated', 'activating', 'active', 'deactivating', 'inactive')),
      add withdrawable_at timestamptz,
      add missing_since timestamptz,
      alter terms_proof drop not null,
      add constraint stakes_terms_proven check (type = 'native' or terms_proof is not null),
      add constraint stakes_unstaked check (${unstaked("(type = 'native' or unstake_proof is not null)")}),
      add constraint stakes_native check ((type = 'native') = (rent is not null));
    create table stake_moves (
      intent_id uuid primary key references intents (id),
      stake_id uuid not null references stakes (id),
      kind text not null check (kind in ('unstake', 'withdrawal')),
      rest_id uuid references stakes (id),
      amount numeric(78, 0) check (amount > 0),
      confirmed_at timestamptz,
      created_at timestamptz not null default now(),
      check (kind = 'unstake' or rest_id is null),
      check ((kind = 'withdrawal') = (amount is not null))
    );
    create index stake_moves_of_stake on stake_moves (stake_id);
    comment on column stakes.rent is 'native: what its account holds on top of amount and rewards';
    comment on column stakes.chain_state is 'native: at the last look at the chain';
    comment on column stakes.withdrawable_at is 'native: estimate of the chain';
    comment on column stakes.missing_since is 'native: its account does not exist since then';
    comment on table stake_moves is 'transactions that unstake or withdraw native stakes';
    comment on column stake_moves.rest_id is 'the stake that the rest becomes; null: all of it is unstaked';
    comment on column stake_moves.amount is 'of a withdrawal: all that leaves the account';
    comment on column stake_moves.confirmed_at is 'when its confirmation was first seen'
  `)
}

/** Refused while there are native stakes: the version before cannot unstake and withdraw them. */
export async function down(db: Queryable): Promise<void> {
  const [open] = await db.query(
    "select 1 from stakes where type = 'native' and status <> 'withdrawn' limit 1",
  )
  if (open)
    throw new Error('there are native stakes that are not withdrawn: the version before cannot withdraw them')
  await db.query(`
    drop table stake_moves;
    update stakes set terms_proof = '' where terms_proof is null;
    alter table stakes
      drop constraint stakes_terms_proven,
      drop constraint stakes_unstaked,
      drop constraint stakes_native,
      drop column rent,
      drop column chain_state,
      drop column withdrawable_at,
      drop column missing_since,
      alter terms_proof set not null,
      add check (${unstaked('unstake_proof is not null')})
  `)
}
