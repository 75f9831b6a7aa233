import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table sign_ins drop constraint sign_ins_factor_check,
      add constraint sign_ins_factor_check check (factor in ('totp', 'recovery_code', 'passkey'));

    create table passkeys (
      id uuid primary key,
      account_id uuid not null references accounts,
      credential_id bytea not null unique,
      public_key bytea not null,
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      name text not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index passkeys_account on passkeys (account_id, id);
    comment on table passkeys is 'second factors by WebAuthn; of a key pair only the public half';
    comment on column passkeys.public_key is 'as COSE_Key';
    comment on column passkeys.counter is 'of the last answer; an answer with the same or a lower one is refused, unless the authenticator does not count';

    create table passkey_challenges (
      challenge bytea primary key,
      account_id uuid not null references accounts,
      purpose text not null check (purpose in ('register', 'sign_in', 'confirm')),
      sign_in_id uuid references sign_ins,
      expires_at timestamptz not null,
      check ((purpose = 'sign_in') = (sign_in_id is null))
    );
    create index passkey_challenges_account on passkey_challenges (account_id);
    create index passkey_challenges_expired on passkey_challenges (expires_at);
    comment on table passkey_challenges is 'questions to authenticators that wait for an answer; an answer, right or wrong, deletes its question';
    comment on column passkey_challenges.sign_in_id is 'the session that asks; null: a sign-in';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table passkey_challenges;
    drop table passkeys;
    update sign_ins set factor = null where factor = 'passkey';
    alter table sign_ins drop constraint sign_ins_factor_check,
      add constraint sign_ins_factor_check check (factor in ('totp', 'recovery_code'))
  `)
}
