import type { Queryable } from '../src/platform/database/db.ts'

/**
 * Swaps with a key of the caller. A swap has the id of its intent; its approvals are intents that it follows.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table intents add follows uuid;
    comment on column intents.follows is 'The intent that must be in the network before this one is sent, and whose failure ends it';
    create table swaps (
      id uuid primary key references intents (id),
      business_id uuid not null references businesses (id),
      provider text not null,
      approvals uuid[] not null,
      to_address text not null,
      sell_token text,
      sell_symbol text,
      sell_decimals integer not null,
      sell_amount numeric not null check (sell_amount > 0),
      buy_token text,
      buy_symbol text,
      buy_decimals integer not null,
      buy_amount numeric not null,
      min_buy_amount numeric not null,
      slippage_bps integer not null,
      rent numeric
    );
    create index swaps_approvals on swaps using gin (approvals);
    create index intents_swaps on intents (business_id, id) where purpose = 'swap';
    comment on table swaps is 'What its intent does not say of a swap; amounts are in base units';
    comment on column swaps.approvals is 'Intents that it follows, in the order of their nonces';
    comment on column swaps.sell_token is 'null: the coin';
    comment on column swaps.sell_symbol is 'as the token names itself; null: it has no name';
    comment on column swaps.buy_token is 'null: the coin';
    comment on column swaps.buy_amount is 'as quoted';
    comment on column swaps.rent is 'Solana: what opening accounts costs, in the coin'
  `)
}

/**
 * Refuses while a swap has not ended for good: the version before would send a step after any outcome of the
 * one that it follows.
 */
export async function down(db: Queryable): Promise<void> {
  const [open] = await db.query(
    "select 1 from intents where next_reconcile_at is not null and (follows is not null or purpose in ('swap', 'swap-approval')) limit 1",
  )
  if (open)
    throw new Error('there are swaps that have not ended for good: the version before cannot continue them')
  await db.query('drop index intents_swaps; drop table swaps; alter table intents drop follows')
}
