import type { Queryable } from '../src/platform/database/db.ts'

/** How far a partner's list of payments was read. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table payout_syncs (
      partner text primary key,
      synced_until timestamptz,
      next_at timestamptz not null,
      failures integer not null default 0
    );
    comment on column payout_syncs.synced_until is 'what the partner has changed before then is stored; null: nothing was read yet';
    comment on column payout_syncs.next_at is 'when the next round is due; the worker that begins it moves it';
    comment on column payout_syncs.failures is 'rounds that have failed since the last good one';
    create index outflows_at_partner on outflows (partner) where partner is not null and status in ('processing', 'unknown');
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop index outflows_at_partner; drop table payout_syncs')
}
