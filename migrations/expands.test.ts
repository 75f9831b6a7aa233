import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { Queryable } from '../src/platform/database/db.ts'
import { breaksOf } from './expands.ts'
import { migrationNames } from './migrated.ts'
import type { Migration } from './migrator.ts'

/** What a step sends. @throws if it reads an answer: then it depends on rows, and cannot be checked here */
async function sqlOf(step: Migration): Promise<string[]> {
  const sent: string[] = []
  const unread = new Proxy([], {
    get: (_, name) => {
      if (name === 'then') return
      throw new Error('the step reads an answer of the database')
    },
  })
  const db: Queryable = {
    async query(text) {
      sent.push(text)
      return unread
    },
  }
  await step.up(db)
  return sent
}
const stepOf = async (name: string) => (await import(`./${name}.ts`)) as Migration

/**
 * Steps that do more than add. A test of each runs the statements of the version before against it, with
 * locks of its transactions.
 */
const shownByTest: Readonly<Record<string, string>> = {
  '0153-audit-bound': 'auditPartitions.integration.test.ts',
  '0154-audit-partitions': 'auditPartitions.integration.test.ts',
  '0220-cashiers': 'cashiers.integration.test.ts',
  '0235-zones-of-closed-months': 'timeZones.integration.test.ts',
  '0236-taken-sums': 'takenSums.integration.test.ts',
  '0237-taken-before': 'takenSums.integration.test.ts',
  '0262-notifications': 'notifications.integration.test.ts',
}

describe('a step that declares that it only expands', () => {
  test.each(migrationNames)('%s does', async (name) => {
    const step = await stepOf(name)
    if (!step.expands) return
    const breaks = breaksOf(await sqlOf(step))
    const shownBy = shownByTest[name]
    if (shownBy === undefined) return expect(breaks).toEqual([])
    expect(breaks).not.toEqual([])
    expect(readFileSync(join(import.meta.dirname, shownBy), 'utf8')).toContain(`'${name}'`)
  })

  test.each([
    'create table notes (id uuid primary key, body text not null); create unique index on notes (body)',
    "create table notes (id uuid); alter table notes alter column id set not null; insert into notes values ('1')",
    'create table notes (id uuid); create trigger kept before update on notes execute function keep()',
    'alter table sessions add column note text',
    "alter table sessions add note text not null default '', add other numeric(78, 0) default 0",
    "alter table sessions add at timestamptz not null default now(), add tags text[] not null default '{}'::text[]",
    'alter table sessions add constraint short check (length(note) < 9) not valid',
    'create index concurrently if not exists sessions_note on sessions (note)',
    'drop index concurrently if exists sessions_note; create index concurrently if not exists sessions_note on sessions (note)',
    "comment on column sessions.note is 'words; drop table nothing'",
    'create function later() returns int language sql as $$ select 1; $$',
    'create function later(n int) returns int language sql as $$ select 1; $$; revoke all on function later(int) from public',
    "create type mood as enum ('calm')",
    'drop index concurrently if exists noted; create index concurrently if not exists noted on sessions (note)',
  ])('may: %s', (sql) => {
    expect(breaksOf([sql])).toEqual([])
  })

  test.each([
    'drop table sessions',
    'revoke all on function known(int) from public',
    'drop index concurrently if exists sessions_other; create index concurrently sessions_note on sessions (note)',
    'alter table sessions drop column note',
    'alter table sessions drop note',
    'alter table only sessions drop note',
    'alter table sessions add note text, drop other',
    'ALTER TABLE sessions\n  RENAME COLUMN note TO remark',
    'alter table sessions alter note set not null',
    'alter table sessions alter column note type varchar(9)',
    'alter table sessions add column note text not null',
    'alter table sessions add note text unique',
    'alter table sessions add note text references accounts (id)',
    'alter table sessions add note text check (length(note) < 9)',
    'alter table sessions add n int generated always as (1) stored',
    'alter table sessions add id uuid default gen_random_uuid()',
    'alter table sessions add check (length(note) < 9)',
    'alter table sessions add check (a > 0), add constraint b check (b > 0) not valid',
    'alter table sessions add constraint one unique (note)',
    'alter table sessions set unlogged',
    'alter table sessions disable trigger all',
    'create unique index concurrently one on sessions (note)',
    'create index on sessions (note)',
    'create trigger checked before insert on sessions execute function check_it()',
    'create or replace function check_it() returns trigger language plpgsql as $$ begin return null; end $$',
    "update sessions set note = ''",
    "with found as (select 1) update sessions set note = ''",
    "insert into sessions values ('1')",
    'delete from sessions',
    'do $$ begin delete from sessions; end $$',
    'create table notes (id uuid); drop index sessions_note',
    'drop index concurrently if exists known; create index concurrently other on sessions (note)',
    'create policy one on sessions',
    'revoke select on sessions from cowry_api',
    'lock table sessions',
  ])('may not: %s', (sql) => {
    expect(breaksOf([sql])).toHaveLength(1)
  })

  test('of the steps of before, those that broke a version are recognised', async () => {
    const steps = ['0043-actions', '0187-verification-role', '0195-stake-confirmations']
    const broken = await Promise.all(
      steps.map(async (name) => breaksOf(await sqlOf(await stepOf(name))).length > 0),
    )
    expect(broken).toEqual([true, true, false])
  })
})
