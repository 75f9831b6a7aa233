import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table approvals drop constraint approvals_subject_check,
      add constraint approvals_subject_check check (subject in ('transfer', 'limits', 'owner')),
      add wanted jsonb,
      add constraint approvals_wanted_check check ((subject = 'transfer') = (wanted is null));
    comment on column approvals.subject_id is 'of a transfer: its row in outgoing; of the others: the approval''s own id';
    comment on column approvals.wanted is 'limits: what is limited, its limits when this was asked for, and those wanted; owner: the account that is to own the business';

    alter table businesses add owner_removed_at timestamptz;
    comment on column businesses.owner_removed_at is 'when an owner last took the role from another one: the approval of a second owner is needed for a while after that, though one may be left';

    alter table api_keys add sends_allowed_by uuid references accounts;
    comment on column api_keys.sends_allowed_by is 'who last put wallets:send into it, where that is not who made it: they may approve nothing that it asks for';
    update api_keys k set sends_allowed_by = allowed.by from (
      select distinct on (target) target, actor_id as by from audit_log
      where actor_kind = 'account' and (action = 'key.wallet_sends_allowed' or action = 'key.changed' and after->'permissions' @> '"wallets:send"')
      order by target, id desc) allowed
    where allowed.target = k.id::text;

    -- For the sums of a day: open transfers, and those that have been sent.
    drop index outgoing_key;
    create index outgoing_key on outgoing (api_key_id, updated_at) where api_key_id is not null;
    create index outgoing_key_open on outgoing (api_key_id) where api_key_id is not null and next_look_at is not null;
    drop index outgoing_wallet;
    create index outgoing_wallet on outgoing (wallet_id, updated_at) where wallet_id is not null;
    create index outgoing_wallet_open on outgoing (wallet_id) where wallet_id is not null and next_look_at is not null;

    alter table outgoing_transactions add unproven_since timestamptz;
    comment on column outgoing_transactions.unproven_since is 'when the treasury first found it, or its intent, without a proof';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table outgoing_transactions drop unproven_since;
    drop index outgoing_wallet_open; drop index outgoing_wallet; drop index outgoing_key_open; drop index outgoing_key;
    create index outgoing_wallet on outgoing (wallet_id, created_at) where wallet_id is not null;
    create index outgoing_key on outgoing (api_key_id, created_at) where api_key_id is not null;
    alter table api_keys drop sends_allowed_by;
    alter table businesses drop owner_removed_at;
    delete from approvals where subject <> 'transfer';
    alter table approvals drop constraint approvals_wanted_check, drop wanted, drop constraint approvals_subject_check,
      add constraint approvals_subject_check check (subject in ('transfer'));
    comment on column approvals.subject_id is 'of a transfer: its row in outgoing';
  `)
}
