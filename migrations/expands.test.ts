import { describe, expect, test } from '@jest/globals'
import type { Queryable } from '../src/platform/db.ts'
import { breaksOf } from './expands.ts'
import { migrationNames } from './migrated.ts'
import type { Migration } from './migrator.ts'

/** What a step sends. */
async function sqlOf(step: Migration): Promise<string[]> {
  const sent: string[] = []
  const db: Queryable = { query: async (text) => (sent.push(text), []) }
  await step.up(db)
  return sent
}

describe('a step that says that it only expands', () => {
  test.each(migrationNames)('%s does', async (name) => {
    const step = (await import(`./${name}.ts`)) as Migration
    if (step.expands) expect(breaksOf(await sqlOf(step))).toEqual([])
  })

  test.each([
    'create table notes (id uuid primary key, body text not null); create unique index on notes (body)',
    "create table notes (id uuid); alter table notes alter column id set not null; insert into notes values ('1')",
    'alter table sessions add column note text',
    "alter table sessions add note text not null default ''",
    'alter table sessions add constraint short check (length(note) < 9) not valid',
    'create index concurrently if not exists sessions_note on sessions (note)',
    "comment on column sessions.note is 'words; drop table nothing'",
    'create function later() returns int language sql as $$ select 1; $$',
    "create type mood as enum ('calm')",
  ])('may: %s', (sql) => {
    expect(breaksOf([sql])).toEqual([])
  })

  test.each([
    ['drop table sessions', 'takes away'],
    ['alter table sessions drop column note', 'takes away'],
    ['alter table sessions drop note', 'takes away'],
    ['ALTER TABLE sessions\n  RENAME COLUMN note TO remark', 'takes a name away'],
    ['alter table sessions alter note set not null', 'changes a column'],
    ['alter table sessions alter column note type varchar(9)', 'changes a column'],
    ['alter table sessions add column note text not null', 'refuses rows'],
    ['alter table sessions add check (length(note) < 9)', 'may refuse rows'],
    ['alter table sessions add constraint one unique (note)', 'may refuse rows'],
    ['create unique index concurrently one on sessions (note)', 'may refuse rows'],
    ['create index on sessions (note)', 'blocks writes'],
    ['create trigger checked before insert on sessions execute function check_it()', 'changes what writes'],
    ['create or replace function check_it() returns trigger language plpgsql as $$ begin return null; end $$', 'changes what writes'],
    ["update sessions set note = ''", 'changes rows'],
    ['delete from sessions', 'changes rows'],
    ['create table notes (id uuid); drop index sessions_note', 'takes away'],
    ['lock table sessions', 'keeps others waiting'],
  ])('may not: %s', (sql, why) => {
    expect(breaksOf([sql])).toEqual([expect.stringContaining(why)])
  })

  test('of the steps of before, those that broke a version are recognised', async () => {
    const steps = ['0042-transaction-manager', '0187-verification-role', '0195-stake-confirmations']
    const broken = await Promise.all(steps.map(async (name) => breaksOf(await sqlOf((await import(`./${name}.ts`)) as Migration)).length > 0))
    expect(broken).toEqual([true, true, false])
  })
})
