import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table transfers add memo text, add memo_type text check (memo_type in ('text', 'id', 'hash', 'return')),
      add constraint transfers_memo check ((memo is null) = (memo_type is null));
    comment on column transfers.memo is 'what the sender wrote to it, on chains that have that';

    alter table watches alter business_id drop not null, drop constraint watches_purpose_check,
      add constraint watches_purpose_check check (purpose in ('session', 'suspense')),
      add constraint watches_owner check ((business_id is null) = (purpose = 'suspense'));
    comment on column watches.business_id is 'null: the platform''s own, for money that names no deposit';
    create unique index watches_suspense on watches (family, address) where purpose = 'suspense';

    alter table deposit_addresses drop memo, add unique (family, address);
    alter table pos_sessions drop memo, add unique (family, address);

    alter table detections alter business_id drop not null, add disputed_at timestamptz;
    comment on column detections.disputed_at is 'when another provider did not have it: from then on only its agreement lets it count';
    comment on column detections.business_id is 'null: nobody''s yet, it waits in suspense';

    create table suspense_payments (
      detection_id uuid primary key references detections,
      posted boolean not null,
      updated_at timestamptz not null default now()
    );
    comment on table suspense_payments is 'money that came to an account of the platform and names no deposit, and whether it is in the books now';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop table suspense_payments;
    alter table pos_sessions drop constraint pos_sessions_family_address_key, add memo text not null default '', add unique (family, address, memo);
    alter table deposit_addresses drop constraint deposit_addresses_family_address_key, add memo text not null default '', add unique (family, address, memo);
    delete from detections where business_id is null;
    alter table detections drop disputed_at, alter business_id set not null;
    alter table watches disable trigger watches_keep;
    delete from watches where purpose = 'suspense';
    alter table watches enable trigger watches_keep;
    drop index watches_suspense;
    alter table watches drop constraint watches_owner, drop constraint watches_purpose_check,
      add constraint watches_purpose_check check (purpose in ('session')), alter business_id set not null;
    alter table transfers drop constraint transfers_memo, drop memo_type, drop memo
  `)
}
