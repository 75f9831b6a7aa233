import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table sign_ins add factor text check (factor in ('totp', 'recovery_code'));
    comment on column sign_ins.factor is 'the second factor that it was begun with, or that was set up in it; null: the password alone';

    alter table businesses
      add opened_by uuid references accounts,
      add requires_second_factor boolean not null default false;
    comment on column businesses.opened_by is 'who opened it for themselves, and counts it for good; null: an operator opened it for somebody';
    comment on column businesses.requires_second_factor is 'of its owners, by decision of one of them';
    create index businesses_opened_by on businesses (opened_by);

    alter table accounts
      add invited_by uuid references accounts,
      add business_limit integer check (business_limit >= 0);
    comment on column accounts.invited_by is 'by whose invitation the account was opened; null: an operator''s';
    comment on column accounts.business_limit is 'businesses that it and those it brought may open, by an operator''s word; null: counted with whoever invited it';
    create index accounts_invited_by on accounts (invited_by);

    -- Both were written by the transaction that created the account, so their times are equal.
    update accounts a set invited_by = i.invited_by
    from invitations i join accounts by on by.id = i.invited_by
    where i.email = a.email and i.accepted_at = a.created_at and i.purpose = 'member' and not by.operator and by.id <> a.id;

    -- A business opened by an operator for a person has the owner's invitation in the same request.
    update businesses b set opened_by = l.actor_id
    from audit_log l
    where l.business_id = b.id and l.action = 'business.created' and l.actor_kind = 'account'
      and exists (select 1 from accounts a where a.id = l.actor_id)
      and not exists (
        select 1 from audit_log m where m.business_id = b.id and m.action = 'member.invited' and m.request_id is not distinct from l.request_id and m.at = l.at);
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table accounts drop business_limit, drop invited_by;
    alter table businesses drop requires_second_factor, drop opened_by;
    alter table sign_ins drop factor
  `)
}
