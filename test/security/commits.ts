import type { Db } from '../../src/platform/db.ts'

type Fields = Record<string, unknown>

/** What one transaction changed, in the order of commits. */
export interface Commit {
  changes: { table: string; act: 'INSERT' | 'UPDATE' | 'DELETE'; row: Fields }[]
}

/** That an answer has come: a suspension, by its reason, or that a key is revoked. What it ended may not go on after it. */
export const noteAnswer = (db: Db, answer: { suspended: string; reason: string } | { revoked: string }): Promise<unknown> =>
  db.tx(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(7041)')
    await tx.query("insert into noted_commits (tx, relation, act, held) values (pg_current_xact_id()::text::bigint, 'answers', 'INSERT', $1)", [
      JSON.stringify(answer),
    ])
  })

const tables = ['members', 'businesses', 'accounts', 'api_keys', 'sign_ins', 'invitations', 'audit_log']

/**
 * Has the database note each change of who may do what, and each entry of the audit log, when its transaction commits. The lock is the last
 * that a transaction takes and is held until it has committed: so the numbers are in the order of commits.
 */
export async function noteCommits(db: Db): Promise<void> {
  await db.query(`
    create table noted_commits (n bigint generated always as identity primary key, tx bigint not null, relation text not null, act text not null, held jsonb not null);
    create function note_commit() returns trigger language plpgsql security definer as $$
    begin
      perform pg_advisory_xact_lock(7041);
      insert into noted_commits (tx, relation, act, held)
      values (pg_current_xact_id()::text::bigint, tg_table_name, tg_op, to_jsonb(case when tg_op = 'DELETE' then old else new end));
      return null;
    end $$;
    ${tables
      .map(
        (table) =>
          `create constraint trigger note_commit after insert or update or delete on ${table} deferrable initially deferred for each row execute function note_commit();`,
      )
      .join('\n')}`)
}

/** Everything that was noted. */
export async function readCommits(db: Db): Promise<Commit[]> {
  const rows = await db.query<{ tx: string; table: string; act: 'INSERT' | 'UPDATE' | 'DELETE'; row: Fields }>(
    'select tx, relation as "table", act, held as row from noted_commits order by n',
  )
  const commits: (Commit & { tx: string })[] = []
  for (const { tx, ...change } of rows) {
    const last = commits.at(-1)
    if (last?.tx === tx) last.changes.push(change)
    else commits.push({ tx, changes: [change] })
  }
  return commits
}
