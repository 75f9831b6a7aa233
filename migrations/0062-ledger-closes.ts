import type { Queryable } from '../src/platform/database/db.ts'

/**
 * The daily close: entries chained by hash, and what did not agree. Links do not reference entries: that
 * would lock the row of each entry, and a lost entry is found by the chain.
 */
export async function up(db: Queryable): Promise<void> {
  await db.query(`
    create table ledger_links (
      position bigint primary key check (position > 0),
      entry_id uuid not null unique,
      hash bytea not null check (octet_length(hash) = 32)
    );
    comment on table ledger_links is 'entries in the order in which closes chained them';
    comment on column ledger_links.hash is 'SHA-256 of the hash of the position before and the text of the entry with its postings';

    create table ledger_closes (
      id bigint generated always as identity primary key,
      started_at timestamptz not null,
      ended_at timestamptz not null default clock_timestamp(),
      entries bigint not null check (entries >= 0),
      last_position bigint not null,
      last_hash bytea not null check (octet_length(last_hash) = 32),
      drifts integer not null check (drifts >= 0)
    );
    comment on column ledger_closes.entries is 'how many it chained';
    comment on column ledger_closes.drifts is 'how many differences it found, up to a maximum of each kind; ledger_drifts has them';

    create table ledger_drifts (
      close_id bigint not null references ledger_closes,
      number integer not null,
      kind text not null,
      account_id bigint references ledger_accounts,
      subject text not null,
      expected text not null,
      found text not null,
      primary key (close_id, number)
    );
    create trigger ledger_links_append_only before update or delete or truncate on ledger_links for each statement execute function refuse_change();
    create trigger ledger_closes_append_only before update or delete or truncate on ledger_closes for each statement execute function refuse_change();
    create trigger ledger_drifts_append_only before update or delete or truncate on ledger_drifts for each statement execute function refuse_change();
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query('drop table ledger_drifts; drop table ledger_closes; drop table ledger_links')
}
