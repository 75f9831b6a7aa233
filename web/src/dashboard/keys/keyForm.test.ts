import { describe, expect, test } from '@jest/globals'
import type { ApiKey } from '../types.ts'
import { changesOf, linesOf, readLimits } from './keyForm.ts'

const key: ApiKey = {
  id: '0195',
  name: 'Till',
  prefix: 'ak_test_1234',
  scope: 'write',
  state: 'active',
  allowedAddresses: ['10.0.0.0/8'],
  requestsPerMinute: 60,
  permissions: ['sessions:read', 'sessions:create'],
  writePermissions: [],
  sentFromWalletsAt: null,
  refundAddressUntil: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  expiresAt: '2099-01-01T10:20:30.456Z',
  revokedAt: null,
  lastUsedAt: null,
  lastUsedAddress: null,
  replacedBy: null,
}

const asItIs = {
  name: 'Till',
  allowedAddresses: ['10.0.0.0/8'],
  requestsPerMinute: 60,
  permissions: ['sessions:create', 'sessions:read'],
  expiresAt: '2099-01-01T10:20:00.000Z',
}

function form(fields: Record<string, string | string[]>): FormData {
  const data = new FormData()
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) data.append(name, value)
  return data
}

describe('the changes of a key', () => {
  test('are empty if nothing was edited, in any order and without seconds', () =>
    expect(changesOf(key, asItIs)).toEqual({}))

  test('are only the edited fields', () => {
    expect(changesOf(key, { ...asItIs, name: 'Till 2' })).toEqual({ name: 'Till 2' })
    expect(changesOf(key, { ...asItIs, requestsPerMinute: 61 })).toEqual({ requestsPerMinute: 61 })
  })

  test('take a limit away as null', () => {
    const free = {
      name: 'Till',
      allowedAddresses: null,
      requestsPerMinute: null,
      permissions: null,
      expiresAt: null,
    }
    expect(changesOf(key, free)).toEqual({
      allowedAddresses: null,
      requestsPerMinute: null,
      permissions: null,
      expiresAt: null,
    })
  })
})

describe('the limits in the form', () => {
  test('are null if the fields are empty', () => {
    expect(
      readLimits(
        form({ name: ' Till ', limit: 'all', allowedAddresses: ' \n', requestsPerMinute: '', expiresAt: '' }),
        'UTC',
      ),
    ).toEqual({
      name: 'Till',
      allowedAddresses: null,
      requestsPerMinute: null,
      permissions: null,
      expiresAt: null,
    })
  })

  test('forget chosen permissions once everything is allowed', () => {
    expect(
      readLimits(form({ name: 'Till', limit: 'all', permissions: ['sessions:read'] }), 'UTC').permissions,
    ).toBeNull()
    expect(
      readLimits(form({ name: 'Till', limit: 'some', permissions: ['sessions:read'] }), 'UTC').permissions,
    ).toEqual(['sessions:read'])
  })

  test('refuse an empty list of permissions, and a time in the past', () => {
    expect(() => readLimits(form({ name: 'Till', limit: 'some' }), 'UTC')).toThrow(
      expect.objectContaining({ fields: { permissions: expect.any(String) } }),
    )
    expect(() =>
      readLimits(form({ name: 'Till', limit: 'all', expiresAt: '2020-01-01T00:00' }), 'UTC'),
    ).toThrow(expect.objectContaining({ fields: { expiresAt: expect.any(String) } }))
  })
})

test('addresses are separated by lines or commas', () =>
  expect(linesOf('10.0.0.1\n\n 10.0.0.2 , ::1\r\n')).toEqual(['10.0.0.1', '10.0.0.2', '::1']))
