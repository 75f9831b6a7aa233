import { expect, test } from '@jest/globals'
import { mayManage, offeredPermissions } from './keyPermissions.ts'

const namesFor = (...who: Parameters<typeof offeredPermissions>) =>
  offeredPermissions(...who).map(({ name }) => name)

test('only owners can give a key permissions that are reserved to owners', () => {
  expect(namesFor('write', 'owner')).toContain('finality:write')
  expect(namesFor('write', 'developer')).not.toContain('finality:write')
  expect(namesFor('write', 'developer')).toContain('sessions:create')
  expect(namesFor('read', 'owner')).not.toContain('finality:write')
  expect(namesFor('read', 'developer')).toContain('finality:read')
})

test('a key with permissions reserved to owners is managed by owners', () => {
  const permissions = ['finality:write', 'sessions:read']
  const writePermissions: string[] = []
  expect([
    mayManage('owner', { permissions, writePermissions }),
    mayManage('developer', { permissions, writePermissions }),
  ]).toEqual([true, false])
  expect(
    mayManage('developer', { permissions: null, writePermissions: ['sessions:create', 'wallets:send'] }),
  ).toBe(false)
  expect(mayManage('developer', { permissions: null, writePermissions: ['sessions:create'] })).toBe(true)
  expect(mayManage('developer', { permissions: ['finality:read'], writePermissions })).toBe(true)
})
