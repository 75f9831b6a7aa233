import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table chain_cursors
      add covered int8multirange not null default '{}',
      add traced int8multirange not null default '{}',
      add finalized_height bigint;
    comment on column chain_cursors.covered is 'heights whose block was read whole and committed';
    comment on column chain_cursors.traced is 'of these, those whose internal transfers were looked at';
    comment on column chain_cursors.finalized_height is 'the newest height that the chain called finalized; never goes back';
    update chain_cursors c set covered = coalesce(
      (select int8multirange(int8range(min(b.height), c.height, '[]')) from blocks b where b.chain = c.chain and b.canonical and b.height <= c.height), '{}')
      where height is not null;

    alter table transfers
      add source text,
      drop constraint transfers_chain_block_id_tx_id_movement_key_key,
      add constraint transfers_movement unique (chain, tx_id, movement_key, block_id);
    drop index transfers_tx;
    comment on column transfers.source is 'the provider that told it; another one is asked before it is credited';

    create table finality_policies (
      id uuid primary key,
      business_id uuid not null references businesses,
      rules jsonb not null,
      created_at timestamptz not null default now()
    );
    comment on table finality_policies is 'what businesses chose, one row for each choice; never changed, because watches point to theirs';
    alter table businesses add finality_policy_id uuid references finality_policies;
    alter table watches add finality_policy_id uuid references finality_policies, add finality_amount numeric(78, 18);
    comment on column watches.finality_amount is 'whole tokens; a transfer to the watch is taken for at least this much';

    alter table detections alter depth drop not null, add needs_agreement boolean not null default false, add agreed_at timestamptz;
    comment on column detections.depth is 'confirmations asked for, the block itself counted; null: the chain must call it finalized';
    comment on column detections.needs_agreement is 'there was a second provider when it was found';
    comment on column detections.agreed_at is 'when another provider said the same';

    alter table pos_sessions add finality text not null default 'confirmations' check (finality in ('confirmations', 'finalized'));
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table pos_sessions drop finality;
    update detections set depth = 1 where depth is null;
    alter table detections drop agreed_at, drop needs_agreement, alter depth set not null;
    alter table watches drop finality_amount, drop finality_policy_id;
    alter table businesses drop finality_policy_id;
    drop table finality_policies;
    alter table transfers drop constraint transfers_movement, drop source,
      add constraint transfers_chain_block_id_tx_id_movement_key_key unique (chain, block_id, tx_id, movement_key);
    create index transfers_tx on transfers (chain, tx_id);
    alter table chain_cursors drop finalized_height, drop traced, drop covered
  `)
}
