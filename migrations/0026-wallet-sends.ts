import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The write permissions of this version for keys that did not name theirs. Later versions never extend them.
 */
const hadUnnamed = [
  'crypto:generate',
  'crypto:transfer',
  'crypto:wallets',
  'monitoring:write',
  'sessions:cancel',
  'sessions:create',
  'webhooks:manage',
  'webhooks:replay',
]

const keyInUse = (more: { columns: string; select: string }) => `
    create function api_key_in_use(of_hash bytea) returns table (
      id uuid, name text, prefix text, business_id uuid, business_name text, approval text, scope text, allowed_addresses text[],
      requests_per_minute integer, permissions text[], expires_at timestamptz${more.columns}
    ) language plpgsql stable as $$
    begin
      return query
        select k.id, k.name, k.prefix, k.business_id, b.name, b.approval, k.scope, k.allowed_addresses, k.requests_per_minute, k.permissions, k.expires_at${more.select}
        from api_keys k join businesses b on b.id = k.business_id
        where k.hash = of_hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
    end $$;`

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table api_keys
      add write_permissions text[] not null default '{}',
      add root_id uuid references api_keys,
      add sent_from_wallets_at timestamptz;
    comment on column api_keys.permissions is 'null: all that needs the scope read, and write_permissions';
    comment on column api_keys.write_permissions is 'what a key that names no permissions may change: the permissions of the version that made it, and what owners added';
    comment on column api_keys.root_id is 'the first of the keys that it was rotated from; itself where there is none';
    comment on column api_keys.sent_from_wallets_at is 'when it last sent from a stored wallet before that needed wallets:send; null once an owner has decided';

    update api_keys set write_permissions = array['${hadUnnamed.join("', '")}'] where permissions is null and scope = 'write';

    with recursive line as (
      select k.id, k.id as root_id from api_keys k where not exists (select 1 from api_keys before where before.replaced_by = k.id)
      union all
      select k.replaced_by, line.root_id from api_keys k join line on line.id = k.id where k.replaced_by is not null)
    update api_keys k set root_id = line.root_id from line where line.id = k.id;
    alter table api_keys alter root_id set not null;
    create index api_keys_root on api_keys (root_id);

    update api_keys k set sent_from_wallets_at = used.at
    from (
      select a.actor_id, max(a.at) as at from audit_log a join outgoing o on o.id::text = a.target and o.business_id = a.business_id
      where a.action = 'transfer.created' and a.actor_kind = 'api_key' and o.signer = 'wallet' group by a.actor_id) used
    where used.actor_id = k.id;
    create index api_keys_unconfirmed on api_keys (business_id) where sent_from_wallets_at is not null;

    drop function api_key_in_use;
    ${keyInUse({
      columns: ', write_permissions text[], root_id uuid, sent_from_wallets_at timestamptz',
      select: ', k.write_permissions, k.root_id, k.sent_from_wallets_at',
    })}
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop function api_key_in_use;
    ${keyInUse({ columns: '', select: '' })}
    drop index api_keys_unconfirmed; drop index api_keys_root;
    alter table api_keys drop sent_from_wallets_at, drop root_id, drop write_permissions;
    comment on column api_keys.permissions is 'null: all that the scope allows'
  `)
}
