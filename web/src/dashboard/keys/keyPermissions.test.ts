import { expect, test } from '@jest/globals'
import { mayManage, offeredPermissions } from './keyPermissions.ts'

const namesFor = (...who: Parameters<typeof offeredPermissions>) => offeredPermissions(...who).map(({ name }) => name)

test('nobody is offered for a key what only owners may do, but owners', () => {
  expect(namesFor('write', 'owner')).toContain('finality:write')
  expect(namesFor('write', 'developer')).not.toContain('finality:write')
  expect(namesFor('write', 'developer')).toContain('sessions:create')
  expect(namesFor('read', 'owner')).not.toContain('finality:write')
  expect(namesFor('read', 'developer')).toContain('finality:read')
})

test('a key that may do what only owners may do is managed by owners', () => {
  const permissions = ['finality:write', 'sessions:read']
  expect([mayManage('owner', { permissions }), mayManage('developer', { permissions })]).toEqual([true, false])
  expect([mayManage('developer', { permissions: null }), mayManage('developer', { permissions: ['finality:read'] })]).toEqual([true, true])
})
