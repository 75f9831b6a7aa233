import type { Queryable } from '../src/platform/database/db.ts'

/** A message belongs to one bridge transfer; what following it remembers. */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    alter table bridge_transfers add column attested_at timestamptz, add column expired_message text, add column mint_cursor text;
    update bridge_transfers set attested_at = updated_at where attestation is not null;
    update bridge_transfers set next_at = now() where next_at is null and status = 'pending';
    create unique index bridge_transfers_nonce on bridge_transfers (destination_chain, nonce);
    comment on column bridge_transfers.attested_at is 'when its first signature was stored: Circle has its time to mint from then on';
    comment on column bridge_transfers.expired_message is 'Circle was asked to sign it again: the same text means later';
    comment on column bridge_transfers.mint_cursor is 'where the search for its mint goes on';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    drop index bridge_transfers_nonce;
    alter table bridge_transfers drop column attested_at, drop column expired_message, drop column mint_cursor;
  `)
}
