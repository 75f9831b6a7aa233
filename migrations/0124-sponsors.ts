import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The people behind members and keys, for the independence of approvals. Those of existing rows come from
 * invitations, approvals and the audit log.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table member_sponsors (
      business_id uuid not null references businesses,
      account_id uuid not null references accounts,
      sponsor_id uuid not null references accounts,
      created_at timestamptz not null default now(),
      primary key (business_id, account_id, sponsor_id),
      constraint member_sponsors_other check (account_id <> sponsor_id)
    );
    comment on table member_sponsors is 'accounts that invited or promoted a member, or opened its account; rows outlive the membership';
    create table key_sponsors (
      root_id uuid not null references api_keys,
      account_id uuid not null references accounts,
      created_at timestamptz not null default now(),
      primary key (root_id, account_id)
    );
    comment on table key_sponsors is 'accounts that made or rotated a key, or gave it permissions; by the root that its rotations share';

    insert into member_sponsors (business_id, account_id, sponsor_id, created_at)
    select business_id, account_id, sponsor_id, min(at) from (
      select i.business_id, a.id as account_id, i.invited_by as sponsor_id, i.accepted_at as at
      from invitations i join accounts a on a.email = i.email
      where i.purpose = 'member' and i.business_id is not null and i.accepted_at is not null
      union all
      select j.business_id, a.id, i.actor_id, j.at
      from audit_log j join accounts a on a.id::text = j.target
        cross join lateral (
          select l.actor_id, l.actor_kind from audit_log l
          where l.business_id = j.business_id and l.action = 'member.invited' and l.after->>'email' = a.email and l.id < j.id
          order by l.id desc limit 1) i
      where j.action = 'member.joined' and i.actor_kind = 'account'
      union all
      select m.business_id, m.account_id, a.invited_by, m.created_at from members m join accounts a on a.id = m.account_id
      union all
      select p.business_id, (p.wanted->>'accountId')::uuid, p.asked_by_account, p.decided_at
      from approvals p where p.subject = 'owner' and p.decision = 'approved'
      union all
      select l.business_id, a.id, l.actor_id, l.at
      from audit_log l join accounts a on a.id::text = l.target
      where l.action = 'member.changed' and l.actor_kind = 'account'
        and array_position(array['viewer', 'developer', 'owner'], l.after->>'role') > array_position(array['viewer', 'developer', 'owner'], l.before->>'role')
        and not exists (select 1 from approvals p where p.subject = 'owner' and p.decision = 'approved' and p.business_id = l.business_id
          and p.wanted->>'accountId' = l.target and p.decided_by = l.actor_id and abs(extract(epoch from l.at - p.decided_at)) < 60)
    ) known
    where sponsor_id is not null and sponsor_id <> account_id and exists (select 1 from accounts s where s.id = sponsor_id)
      and exists (select 1 from accounts m where m.id = account_id)
    group by 1, 2, 3;

    insert into key_sponsors (root_id, account_id, created_at)
    select root_id, account_id, min(at) from (
      select root_id, created_by as account_id, created_at as at from api_keys
      union all
      select root_id, sends_allowed_by, created_at from api_keys
      union all
      select k.root_id, l.actor_id, l.at from audit_log l join api_keys k on k.id::text = l.target
      where l.actor_kind = 'account' and (l.action = 'key.wallet_sends_allowed' or (l.action = 'key.changed' and l.after ? 'permissions'))
    ) known
    where account_id is not null and exists (select 1 from accounts a where a.id = account_id)
    group by 1, 2;
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table key_sponsors; drop table member_sponsors')
}
