import type { Queryable } from '../src/platform/database/db.ts'

/** When a round of a partner's list was complete, and the open collections of a wallet. */
export async function up(db: Queryable): Promise<void> {
  for (const table of ['collection_syncs', 'payout_syncs'])
    await db.query(`
      alter table ${table} add completed_at timestamptz not null default now();
      comment on column ${table}.completed_at is 'when the last round was complete; before that, when the first one was due'
    `)
  await db.query(
    "create index fiat_collections_wallet on fiat_collections (wallet_id, id) where status = 'processing'",
  )
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop index fiat_collections_wallet;
    alter table payout_syncs drop completed_at;
    alter table collection_syncs drop completed_at
  `)
}
