import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table send_limits (
      subject text not null check (subject in ('key', 'wallet')),
      subject_id uuid not null,
      business_id uuid not null references businesses,
      amounts jsonb,
      destinations jsonb,
      updated_at timestamptz not null default now(),
      primary key (subject, subject_id)
    );
    comment on table send_limits is 'what a key, or a stored wallet, may send; without a row it is not limited';
    comment on column send_limits.subject_id is 'of a wallet, or the root of a key: keys that it is rotated to share what it is limited to';
    comment on column send_limits.amounts is 'by chain and token, in whole units; null: as much as is there. What is not listed is not sent';
    comment on column send_limits.destinations is 'chain and address, in normal form; null: to anywhere';
    create index send_limits_business on send_limits (business_id);

    alter table outgoing
      add api_key_id uuid references api_keys,
      add account_id uuid references accounts;
    comment on column outgoing.api_key_id is 'the key that asked for it, where it is sent from a stored wallet';
    comment on column outgoing.account_id is 'the account that asked for it, where it is sent from a stored wallet';
    update outgoing o set api_key_id = k.id from audit_log a join api_keys k on k.id = a.actor_id
      where a.target = o.id::text and a.action = 'transfer.created' and a.actor_kind = 'api_key' and o.signer = 'wallet'
        and o.created_at > now() - interval '1 day';
    create index outgoing_key on outgoing (api_key_id, created_at) where api_key_id is not null;
    drop index outgoing_wallet;
    create index outgoing_wallet on outgoing (wallet_id, created_at) where wallet_id is not null;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop index outgoing_wallet;
    create index outgoing_wallet on outgoing (wallet_id) where wallet_id is not null;
    drop index outgoing_key;
    alter table outgoing drop account_id, drop api_key_id;
    drop table send_limits
  `)
}
