import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table businesses
      add approval text not null default 'approved' check (approval in ('pending', 'approved', 'suspended')),
      add approval_reason text;
    alter table businesses alter approval set default 'pending';
    comment on column businesses.approval is 'by an operator of the platform: production takes only the approved, nothing takes the suspended';

    create table accounts (
      id uuid primary key,
      email text not null unique check (email = lower(email)),
      name text not null,
      password_hash text not null,
      totp_sealed bytea,
      totp_enabled_at timestamptz,
      totp_last_step bigint not null default 0,
      operator boolean not null default false,
      created_at timestamptz not null default now(),
      check (totp_enabled_at is null or totp_sealed is not null)
    );
    comment on table accounts is 'people; what they may do in a business is in members';
    comment on column accounts.totp_last_step is 'a code of this time step or an earlier one is not taken again (RFC 6238, 5.2)';
    comment on column accounts.operator is 'operates the platform; no role in any business comes with it';

    create table recovery_codes (
      account_id uuid not null references accounts,
      hash bytea not null,
      used_at timestamptz,
      primary key (account_id, hash)
    );

    create table members (
      business_id uuid not null references businesses,
      account_id uuid not null references accounts,
      role text not null check (role in ('owner', 'developer', 'viewer')),
      created_at timestamptz not null default now(),
      primary key (business_id, account_id)
    );
    create index members_account on members (account_id);

    create table invitations (
      id uuid primary key,
      purpose text not null check (purpose in ('member', 'operator', 'reset')),
      business_id uuid references businesses,
      email text not null check (email = lower(email)),
      role text check (role in ('owner', 'developer', 'viewer')),
      token_hash bytea not null unique,
      invited_by uuid references accounts,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      accepted_at timestamptz,
      revoked_at timestamptz,
      check ((purpose = 'member') = (business_id is not null)),
      check ((purpose = 'member') = (role is not null))
    );
    create index invitations_business on invitations (business_id, id);

    create table sign_ins (
      id uuid primary key,
      account_id uuid not null references accounts,
      kind text not null check (kind in ('dashboard', 'token')),
      secret_hash bytea unique,
      address text not null,
      network text not null,
      user_agent text,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz,
      check ((kind = 'dashboard') = (secret_hash is not null))
    );
    comment on table sign_ins is 'every session of the dashboard and every access token; a token names its row, so that it can be revoked';
    create index sign_ins_account on sign_ins (account_id, id);
    create index sign_ins_network on sign_ins (account_id, network, created_at);
    comment on column sign_ins.network is 'of the address: itself, or the /64 that an IPv6 address is in; from there the account is no stranger';

    create table signing_keys (
      id uuid primary key,
      sealed bytea not null,
      created_at timestamptz not null default now(),
      active_at timestamptz not null
    );
    comment on table signing_keys is 'of access tokens; sealed with the application''s key';
    comment on column signing_keys.active_at is 'published before that, signs from then on, until the next one does';

    alter table api_keys
      add created_by uuid references accounts,
      add allowed_addresses text[],
      add requests_per_minute integer check (requests_per_minute > 0),
      add permissions text[],
      add last_used_at timestamptz,
      add last_used_address text,
      add replaced_by uuid references api_keys;
    comment on column api_keys.allowed_addresses is 'networks in CIDR notation; null: from anywhere';
    comment on column api_keys.permissions is 'null: all that the scope allows';
    create index api_keys_list on api_keys (business_id, id);
    drop index api_keys_business;

    -- A function, because the server's session caches its plan, through any pooler: planning took three quarters of a lookup.
    create function api_key_in_use(of_hash bytea) returns table (
      id uuid, name text, prefix text, business_id uuid, business_name text, approval text, scope text, allowed_addresses text[],
      requests_per_minute integer, permissions text[], expires_at timestamptz
    ) language plpgsql stable as $$
    begin
      return query
        select k.id, k.name, k.prefix, k.business_id, b.name, b.approval, k.scope, k.allowed_addresses, k.requests_per_minute, k.permissions, k.expires_at
        from api_keys k join businesses b on b.id = k.business_id
        where k.hash = of_hash and k.revoked_at is null and (k.expires_at is null or k.expires_at > now());
    end $$;

    create table audit_log (
      id uuid primary key,
      at timestamptz not null default now(),
      business_id uuid references businesses,
      actor_kind text not null check (actor_kind in ('account', 'api_key', 'system')),
      actor_id uuid,
      actor_label text not null,
      action text not null,
      target text,
      before jsonb,
      after jsonb,
      address text,
      request_id text
    );
    comment on table audit_log is 'who changed what, from where; rows are added and never changed';
    create index audit_log_business on audit_log (business_id, id);
    create index audit_log_action on audit_log (action, id);
    create index audit_log_actor on audit_log (actor_id, id);
    create function keep_audit_log() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only';
    end $$;
    create trigger audit_log_keep before update or delete or truncate on audit_log for each statement execute function keep_audit_log();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table audit_log;
    drop function keep_audit_log;
    drop function api_key_in_use;
    create index api_keys_business on api_keys (business_id);
    drop index api_keys_list;
    alter table api_keys drop replaced_by, drop last_used_address, drop last_used_at, drop permissions, drop requests_per_minute,
      drop allowed_addresses, drop created_by;
    drop table signing_keys;
    drop table sign_ins;
    drop table invitations;
    drop table members;
    drop table recovery_codes;
    drop table accounts;
    alter table businesses drop approval_reason, drop approval
  `)
}
