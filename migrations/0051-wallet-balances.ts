import type { Queryable } from '../src/platform/database/db.ts'

// Stored wallets that send, and when the balance of each is checked next. A wallet gets its row with its next
// transfer.

export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table wallet_balances (
      wallet_id uuid primary key references wallets (id),
      business_id uuid not null,
      chain text not null,
      sent_at timestamptz not null,
      check_at timestamptz,
      checks int not null default 0,
      low_since timestamptz
    );
    create index wallet_balances_due on wallet_balances (chain, check_at) where check_at is not null;
    create index wallet_balances_low on wallet_balances (chain) where low_since is not null;
    comment on table wallet_balances is 'stored wallets that have sent: when their native coin is checked, and if it is low';
    comment on column wallet_balances.sent_at is 'about when a transfer was last requested';
    comment on column wallet_balances.check_at is 'null: idle or archived, not checked';
    comment on column wallet_balances.checks is 'counts checks, as a fence: one that another one has overtaken must not write';
    comment on column wallet_balances.low_since is 'since then it is low, and was announced; null: it is not low';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table wallet_balances')
}
