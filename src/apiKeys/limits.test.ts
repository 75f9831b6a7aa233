import { expect, test } from '@jest/globals'
import type { ApiError } from '../platform/errors.ts'
import { checkedLimits, type KnownPermissions, type WantedLimits } from './limits.ts'
import type { Scope } from './model.ts'

const known: KnownPermissions = new Map([
  ['sessions:read', { scope: 'read', minRole: 'viewer' }],
  ['sessions:create', { scope: 'write', minRole: 'developer' }],
])

function mistakesOf(wanted: WantedLimits, scope: Scope): (readonly [string, string])[] {
  try {
    checkedLimits(wanted, scope, known)
    return []
  } catch (error) {
    return ((error as ApiError).fields ?? []).map(({ field, message }) => [field, message] as const)
  }
}

test('every invalid limit is named, all at once', () => {
  const wanted = {
    allowedAddresses: ['10.0.0.0/8', '10.1.2.3/16', 'example.com', '10.0.0.0/33', '2001:db8::1/64'],
    permissions: ['sessions:read', 'sessions:create', 'nothing:read'],
    expiresAt: new Date(Date.now() - 1).toISOString(),
  }
  expect(mistakesOf(wanted, 'read')).toEqual([
    ['allowedAddresses.1', 'has bits set beyond its prefix length; the network is 10.1.0.0/16'],
    ['allowedAddresses.2', 'is not an IP address or a network such as 203.0.113.0/24'],
    ['allowedAddresses.3', 'has a prefix length outside 0 to 32'],
    ['allowedAddresses.4', 'has bits set beyond its prefix length; the network is 2001:db8::/64'],
    ['permissions.1', 'needs a key with the scope write'],
    ['permissions.2', 'is not a permission'],
    ['expiresAt', 'must be in the future'],
  ])
  expect(
    mistakesOf(
      { ...wanted, allowedAddresses: null, expiresAt: null, permissions: ['sessions:create'] },
      'write',
    ),
  ).toEqual([])
})

test('limits are normalized; omitted ones stay, and null removes a limit', () => {
  expect(checkedLimits({}, 'read', known)).toEqual({})
  const cleared = { allowedAddresses: null, requestsPerMinute: null, permissions: null, expiresAt: null }
  expect(checkedLimits(cleared, 'read', known)).toEqual(cleared)
  const allowedAddresses = ['10.0.0.7', '::ffff:10.0.0.7', '10.0.0.7/32', '2001:DB8::/32']
  expect(
    checkedLimits({ allowedAddresses, permissions: ['sessions:read', 'sessions:create'] }, 'write', known),
  ).toEqual({
    allowedAddresses: ['10.0.0.7/32', '2001:db8::/32'],
    permissions: ['sessions:create', 'sessions:read'],
  })
})
