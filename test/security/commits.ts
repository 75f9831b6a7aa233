import type { Db } from '../../src/platform/database/db.ts'

type Fields = Record<string, unknown>

/** Changes of one transaction, in commit order. */
export interface Commit {
  changes: { table: string; act: 'INSERT' | 'UPDATE' | 'DELETE'; row: Fields }[]
}

/**
 * Records that a suspension, by its reason, or a key's revocation was answered. From then on what they ended
 * must not continue.
 */
export const noteAnswer = (
  db: Db,
  answer: { suspended: string; reason: string } | { revoked: string },
): Promise<unknown> =>
  db.tx(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7041)')
    await tx.query(
      "insert into noted_commits (tx, relation, act, held) values (pg_current_xact_id()::text::bigint, 'answers', 'INSERT', $1)",
      [JSON.stringify(answer)],
    )
  })

const tables = ['members', 'businesses', 'accounts', 'api_keys', 'sign_ins', 'invitations', 'audit_log']

/**
 * Makes the database record each change of permissions and each audit entry at its commit. The lock is the
 * last one that a transaction takes, and is held until the commit, so the numbers are in commit order.
 */
export async function noteCommits(db: Db): Promise<void> {
  await db.query(`
    create table noted_commits (n bigint generated always as identity primary key, tx bigint not null, relation text not null, act text not null, held jsonb not null);
    create function note_commit() returns trigger language plpgsql security definer as $$
    begin
      perform pg_advisory_xact_lock(7041);
      insert into noted_commits (tx, relation, act, held)
      values (pg_current_xact_id()::text::bigint,
        -- A row of a partition is one of its table.
        coalesce((select inhparent::regclass::text from pg_inherits where inhrelid = tg_relid), tg_table_name), tg_op, to_jsonb(case when tg_op = 'DELETE' then old else new end));
      return null;
    end $$;
    ${tables
      .map(
        (table) =>
          `create constraint trigger note_commit after insert or update or delete on ${table} deferrable initially deferred for each row execute function note_commit();`,
      )
      .join('\n')}`)
}

/** Reads all recorded commits. */
export async function readCommits(db: Db): Promise<Commit[]> {
  const rows = await db.query<{
    tx: string
    table: string
    act: 'INSERT' | 'UPDATE' | 'DELETE'
    row: Fields
  }>('select tx, relation as "table", act, held as row from noted_commits order by n')
  const commits: (Commit & { tx: string })[] = []
  for (const { tx, ...change } of rows) {
    const last = commits.at(-1)
    if (last?.tx === tx) last.changes.push(change)
    else commits.push({ tx, changes: [change] })
  }
  return commits
}
