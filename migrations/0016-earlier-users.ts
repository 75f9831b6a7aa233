import type { Queryable } from '../src/platform/database/db.ts'

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table outgoing_transactions add was_taken boolean not null default false;
    comment on column outgoing_transactions.was_taken is 'whether the network said at its first send that something else had its sequence: that came before it';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('alter table outgoing_transactions drop was_taken')
}
