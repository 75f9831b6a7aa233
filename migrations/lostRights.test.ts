import { expect, test } from '@jest/globals'
import { releaseFacts } from '../scripts/release/programs.ts'
import { queueNames } from '../src/capabilities.ts'
import { redisRules } from '../src/platform/redis/redisUsers.ts'
import { functionGrants, tableGrants } from './grants.ts'
import { lostRights, lostRules } from './lostRights.ts'

const release = releaseFacts()
const now = { tables: tableGrants, functions: functionGrants }

/** The same rights with one changed. */
const withTable = (table: string, role: string, grant: string | undefined) => ({
  ...now,
  tables: { ...release.tables, [table]: { ...release.tables[table], [role]: grant } },
})

test('every right of the release before is still granted: its processes run until the last one is restarted. A right goes in the release after', () => {
  expect(Object.keys(release.tables).length).toBeGreaterThan(100)
  expect(lostRights(release, now)).toEqual([])
})

test('and so is each of its rules in Redis', () => {
  expect(Object.keys(release.redis)).toEqual(['api', 'verification', 'worker'])
  expect(lostRules(release.redis, redisRules(queueNames))).toEqual([])
})

test.each([
  ['a table', 'sweeps', 'worker', undefined, 'worker: select on sweeps'],
  ['a privilege', 'businesses', 'api', 'select, update', 'api: insert on businesses'],
  ['a column', 'businesses', 'treasury', 'select (id)', 'treasury: select (approval) on businesses'],
  [
    'columns of what was a whole table',
    'transfers',
    'worker',
    'select (id, chain)',
    'worker: select on all columns of transfers',
  ],
])('a right that lost %s is named', (_, table, role, grant, lost) => {
  expect(lostRights(release, withTable(table, role, grant))).toContain(lost)
})

test('a function that a process may no longer call is named, and so is one with other parameters', () => {
  const functions = { ...functionGrants, 'present_identity()': ['api', 'worker'] }
  expect(lostRights(release, { ...now, functions })).toEqual(['treasury: execute on present_identity()'])
  const { 'webhook_traceparent(uuid)': callers = [], ...others } = functionGrants
  expect(
    lostRights(release, { ...now, functions: { ...others, 'webhook_traceparent(uuid,text)': callers } }),
  ).toEqual(['worker: execute on webhook_traceparent(uuid)'])
})

test('more rights are nothing lost', () => {
  expect(lostRights(release, withTable('businesses', 'treasury', 'select, insert'))).toEqual([])
  expect(
    lostRights(
      { tables: { a: { api: 'select (b)' } }, functions: {} },
      { tables: { a: { api: 'select (c, b)' } }, functions: {} },
    ),
  ).toEqual([])
})

test('a rule of Redis that is gone, or that forbids more, is named', () => {
  const { worker, ...others } = redisRules(queueNames)
  expect(
    lostRules(release.redis, {
      ...others,
      worker: [...worker.filter((rule) => rule !== '~cowry:txmgr:*'), '-eval'],
    }),
  ).toEqual(['worker: ~cowry:txmgr:*', 'worker: -eval'])
})
