import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table accounts add locked_at timestamptz;
    comment on column accounts.locked_at is 'when an operator locked it; only a link that the operator has handed over ends that, no mailed one';

    update accounts a set locked_at = l.at
    from (select target, max(at) as at from audit_log where action = 'account.locked' group by target) l
    where l.target = a.id::text
      and not exists (select 1 from audit_log r where r.action = 'account.password_reset' and r.target = l.target and r.at > l.at);
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table accounts drop locked_at')
}
