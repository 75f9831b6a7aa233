import type { Queryable } from '../src/platform/database/db.ts'

/**
 * A transfer settles one collection of the deployment, also where two businesses have collections that are
 * settled to one address. Of collections that share one now the first keeps it; the others are compared
 * again.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table collection_transfers add chain text, add tx_id text, add movement_key text;
    update collection_transfers c set chain = t.chain, tx_id = t.tx_id, movement_key = t.movement_key
      from detections d join transfers t on t.id = d.transfer_id where d.id = c.detection_id;
    alter table collection_transfers alter chain set not null, alter tx_id set not null, alter movement_key set not null;

    create temporary table again on commit drop as
      select detection_id, collection_id from (
        select detection_id, collection_id,
          row_number() over (partition by chain, tx_id, movement_key order by block_time, collection_id) as place
        from collection_transfers where collection_id is not null) used
      where place > 1;
    update fiat_collections set settlement = 'none', tx_id = null, reason = null, revision = revision + 1
      where id in (select collection_id from again);
    update collection_transfers set collection_id = null where detection_id in (select detection_id from again);
    drop table again;

    create unique index collection_transfers_used on collection_transfers (chain, tx_id, movement_key) where collection_id is not null;
    create index fiat_collections_named on fiat_collections (partner_tx_id) where partner_tx_id is not null;
    comment on column collection_transfers.movement_key is 'with chain and tx_id: the transfer, also where two businesses watch its address';

    alter table fiat_collections add unsure_since timestamptz, add refused_reason text;
    comment on column fiat_collections.unsure_since is 'the first request whose outcome is not known; null: none';
    comment on column fiat_collections.refused_reason is 'a request after it was refused, with this reason: the partner may have the first one';
    update fiat_collections set unsure_since = coalesce(submitted_at, created_at)
      where status = 'pending' and partner_payment_id is null and tries > 0
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    alter table fiat_collections drop unsure_since, drop refused_reason;
    drop index fiat_collections_named;
    drop index collection_transfers_used;
    alter table collection_transfers drop chain, drop tx_id, drop movement_key
  `)
}
