import { describe, expect, test } from '@jest/globals'
import { unnamedPermissions } from '../../src/apiKeys/unnamedPermissions.ts'
import { loadContract, minRoleOf, type Operation, operationsOf } from '../contract.ts'
import { hasPermission } from './authorize.ts'

const operations = operationsOf(loadContract()).map(({ operation }) => operation)
const named = (operationId: string) =>
  operations.find((each) => each.operationId === operationId) as Operation
const unnamedKey = { permissions: null, writePermissions: [...unnamedPermissions('write', null)] }

/** An operation that a later version adds. */
const later = (operationId: string, permission: string): Operation => ({
  ...named(operationId),
  'x-permission': permission,
})

describe('a key that names no permissions', () => {
  test('may do all that members may do in this version, and nothing reserved to owners', () => {
    for (const operation of operations.filter((each) => each['x-scope'] !== 'public'))
      expect([operation.operationId, hasPermission(unnamedKey, operation)]).toEqual([
        operation.operationId,
        minRoleOf(operation) !== 'owner',
      ])
  })

  test('never gets a later write permission, and gets later read permissions', () => {
    expect(hasPermission(unnamedKey, later('createSession', 'swaps:create'))).toBe(false)
    expect(hasPermission(unnamedKey, later('listSessions', 'swaps:read'))).toBe(true)
  })

  test('sends from stored wallets where an owner allowed it, and does nothing more that is reserved to owners', () => {
    const key = { ...unnamedKey, writePermissions: [...unnamedKey.writePermissions, 'wallets:send'] }
    expect([
      hasPermission(unnamedKey, named('sendFromWallet')),
      hasPermission(key, named('sendFromWallet')),
    ]).toEqual([false, true])
    expect(hasPermission(key, named('setFinality'))).toBe(false)
  })
})

test('a key that names permissions has only those', () => {
  const key = { permissions: ['sessions:read'], writePermissions: ['wallets:send', 'sessions:create'] }
  const allowed = operations
    .filter((each) => each['x-scope'] !== 'public' && hasPermission(key, each))
    .map((each) => each['x-permission'])
  expect(new Set(allowed)).toEqual(
    new Set([
      'sessions:read',
      ...operations.filter((each) => each['x-about-caller']).map((each) => each['x-permission']),
    ]),
  )
})
