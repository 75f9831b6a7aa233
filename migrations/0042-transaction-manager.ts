import type { Queryable } from '../src/platform/database/db.ts'

// The tables of what is sent get the names of docs/glossary.md. Only metadata changes: no row is rewritten.

type Renames = readonly (readonly [string, string])[]

const tables: Renames = [
  ['outgoing', 'intents'],
  ['outgoing_transactions', 'intent_attempts'],
  ['outgoing_sequences', 'intent_nonces'],
  ['outgoing_pauses', 'sending_pauses'],
]

/** Columns, by the new names of their tables. */
const columns: Readonly<Record<string, Renames>> = {
  intents: [
    ['looks', 'reconciles'],
    ['renewals', 'resigns'],
    ['gone_since', 'unminable_since'],
    ['next_look_at', 'next_reconcile_at'],
  ],
  intent_attempts: [
    ['outgoing_id', 'intent_id'],
    ['sequence', 'nonce'],
    ['is_outbid', 'nonce_taken'],
  ],
  intent_nonces: [
    ['outgoing_id', 'intent_id'],
    ['sequence', 'nonce'],
  ],
  treasury_signatures: [
    ['outgoing_id', 'intent_id'],
    ['sequence', 'nonce'],
  ],
  prepared_transfers: [
    ['intent', 'transfer'],
    ['sequence', 'nonce'],
  ],
}

/**
 * Parts of the names of indexes and constraints, by the new names of their tables. Postgres 18 names each
 * `not null`, too.
 */
const parts: Readonly<Record<string, Renames>> = {
  intents: [
    ['outgoing_turns', 'intents_by_business'],
    ['outgoing_', 'intents_'],
    ['_looks_', '_reconciles_'],
    ['_renewals_', '_resigns_'],
  ],
  intent_attempts: [
    ['outgoing_transactions_wanted', 'intent_attempts_unsigned'],
    ['outgoing_transactions_', 'intent_attempts_'],
    ['_outgoing_id_', '_intent_id_'],
    ['_is_outbid_', '_nonce_taken_'],
  ],
  intent_nonces: [
    ['outgoing_sequences_', 'intent_nonces_'],
    ['_outgoing_id_', '_intent_id_'],
    ['_sequence_', '_nonce_'],
  ],
  sending_pauses: [['outgoing_pauses_', 'sending_pauses_']],
  treasury_signatures: [['_outgoing_id_', '_intent_id_']],
  prepared_transfers: [['_intent_not_null', '_transfer_not_null']],
}

const triggers: Readonly<Record<string, Renames>> = {
  intents: [
    ['outgoing_notify', 'intents_notify'],
    ['outgoing_keep_settled', 'intents_keep_settled'],
  ],
  intent_attempts: [['outgoing_transactions_notify', 'intent_attempts_notify']],
}

type Way = 'up' | 'down'
const of = (way: Way, [before, after]: readonly [string, string]) =>
  way === 'up' ? [before, after] : [after, before]

const renamed = (way: Way, kind: string, byTable: Readonly<Record<string, Renames>>): string =>
  Object.entries(byTable)
    .flatMap(([table, pairs]) =>
      pairs.map((pair) => {
        const [from, to] = of(way, pair)
        return kind === 'trigger'
          ? `alter trigger ${from} on ${table} rename to ${to};`
          : `alter table ${table} rename ${kind} ${from} to ${to};`
      }),
    )
    .join('\n')

async function renameParts(db: Queryable, way: Way): Promise<void> {
  for (const [table, pairs] of Object.entries(parts)) {
    const found = await db.query<{ name: string; isConstraint: boolean }>(
      `select conname as name, true as "isConstraint" from pg_constraint where conrelid = $1::regclass
       union all select i.relname, false from pg_index x join pg_class i on i.oid = x.indexrelid
         where x.indrelid = $1::regclass and not exists (select 1 from pg_constraint c where c.conindid = i.oid and c.conrelid = x.indrelid)`,
      [table],
    )
    for (const { name, isConstraint } of found) {
      const changed = pairs
        .map((pair) => of(way, pair))
        .reduce((text, [from, to]) => text.replace(from ?? '', to ?? ''), name)
      if (changed === name) continue
      await db.query(
        isConstraint
          ? `alter table ${table} rename constraint ${name} to ${changed}`
          : `alter index ${name} rename to ${changed}`,
      )
    }
  }
}

const notifies = (name: string, channel: string) => `
    create or replace function ${name}() returns trigger language plpgsql as $$
    begin
      perform pg_notify('${channel}', '');
      return null;
    end $$;`

const keepsSettled = (what: string) => `
    create or replace function keep_settled() returns trigger language plpgsql as $$
    begin
      if not pg_has_role((select relowner from pg_class where oid = tg_relid), 'usage') then
        raise exception 'permission denied for ${what} that is settled' using errcode = 'insufficient_privilege';
      end if;
      return new;
    end $$;`

export async function up(db: Queryable): Promise<void> {
  await db.query(tables.map(([from, to]) => `alter table ${from} rename to ${to};`).join('\n'))
  await db.query(renamed('up', 'column', columns))
  await db.query(renamed('up', 'trigger', triggers))
  await renameParts(db, 'up')
  await db.query(`
    alter function notify_outgoing() rename to notify_intents;
    ${notifies('notify_intents', 'cowry_intents')}
    ${keepsSettled('an intent')}
    comment on table intents is 'what the platform sends: one row for each intent, from request to settled';
    comment on column intents.reconciles is 'counts reconciles, as a fence: one that a later one has overtaken writes nothing';
    comment on column intents.resigns is 'times that it was signed again because nothing that was signed before could be mined';
    comment on column intents.unminable_since is 'since when the chain has said without interruption that nothing that was signed can be mined';
    comment on column intents.next_reconcile_at is 'when a worker reconciles it again; null: it is settled';
    comment on table intent_attempts is 'signed transactions that may carry an intent; on EVM those of one intent share its nonce, elsewhere the next follows when the last is void';
    comment on column intent_attempts.nonce is 'EVM: nonce; Stellar: sequence number; null on other chains';
    comment on column intent_attempts.nonce_taken is 'the network said last that another transaction waits with its nonce';
    comment on column intent_attempts.was_taken is 'the network said at the first send that another transaction had its nonce: that one came before';
    comment on column intent_attempts.proof is 'signature of the worker over terms, nonce and what is given up';
    comment on column intent_attempts.void_at is 'it can never be in a block: it was never sent, or its time is over';
    comment on column intent_attempts.sends is 'counted before each send: after one send and a plain refusal no node has the bytes';
    comment on table intent_nonces is 'the intent that owns a nonce (EVM) or sequence number (Stellar) until it is used for good: no two intents share one';
    comment on column approvals.subject_id is 'of a transfer: its row in intents; of the others: the approval''s own id';
  `)
}

export async function down(db: Queryable): Promise<void> {
  await db.query(`
    comment on table intents is 'everything that leaves an address by our hand: one row for each intent';
    comment on column intents.reconciles is 'fences: a look that another one has overtaken writes nothing';
    comment on column intents.resigns is 'times that it was signed anew because nothing that was signed before could come';
    comment on column intents.unminable_since is 'since when the chain has said, without another word, that nothing that was signed can come';
    comment on column intents.next_reconcile_at is 'when a worker looks at it again; null: nothing about it can change any more';
    comment on table intent_attempts is 'transactions that may carry an intent; on EVM those of one intent share its nonce, elsewhere the next comes when the last is void';
    comment on column intent_attempts.nonce is null;
    comment on column intent_attempts.nonce_taken is 'whether the network said last that something else waits with its sequence';
    comment on column intent_attempts.was_taken is 'whether the network said at its first send that something else had its sequence: that came before it';
    comment on column intent_attempts.proof is 'signature of the worker over terms, sequence and what is given up';
    comment on column intent_attempts.void_at is 'it can never be in a block: nobody ever had it, or its time is over';
    comment on column intent_attempts.sends is 'counted before each send: with 1 and a plain refusal nobody has the bytes';
    comment on table intent_nonces is 'whose a nonce (EVM) or sequence number (Stellar) is, until it is used for good: no two intents can have the same';
    comment on column approvals.subject_id is 'of a transfer: its row in outgoing; of the others: the approval''s own id';
    ${keepsSettled('a row of outgoing')}
    alter function notify_intents() rename to notify_outgoing;
    ${notifies('notify_outgoing', 'cowry_outgoing')}
  `)
  await renameParts(db, 'down')
  await db.query(renamed('down', 'trigger', triggers))
  await db.query(renamed('down', 'column', columns))
  await db.query(tables.map(([from, to]) => `alter table ${to} rename to ${from};`).join('\n'))
}
