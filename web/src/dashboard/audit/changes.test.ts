import { describe, expect, test } from '@jest/globals'
import { actionLabels, changesOf } from './changes.ts'

describe('before and after', () => {
  test('are shown next to each other, field by field', () => {
    expect(
      changesOf({ role: 'viewer', requestsPerMinute: 60 }, { role: 'owner', requestsPerMinute: null }),
    ).toEqual([
      { field: 'Role', before: 'viewer', after: 'owner' },
      { field: 'Requests per minute', before: '60', after: 'none' },
    ])
  })

  test('show new and removed fields', () => {
    expect(changesOf(null, { name: 'Till' })).toEqual([{ field: 'Name', before: '–', after: 'Till' }])
    expect(changesOf({ name: 'Till' }, null)).toEqual([{ field: 'Name', before: 'Till', after: '–' }])
    expect(changesOf(null, null)).toEqual([])
  })

  test('show lists and objects as text', () => {
    expect(changesOf({ accepted: null }, { accepted: { tron: ['USDT'], base: ['USDC', 'USDT'] } })).toEqual([
      { field: 'Accepted', before: 'none', after: 'tron: USDT; base: USDC, USDT' },
    ])
  })
})

test('an action is shown as text', () =>
  expect(actionLabels('account.recovery_codes_renewed')).toBe('Account recovery codes renewed'))
