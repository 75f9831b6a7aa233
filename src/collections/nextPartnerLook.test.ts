import { expect, test } from '@jest/globals'
import type { Collection } from './collection.ts'
import { nextPartnerLookMs } from './nextPartnerLook.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-11-26T10:00:00Z')
const ago = (ms: number) => new Date(now - ms)

const look = (more: Partial<Collection>) =>
  nextPartnerLookMs(
    {
      status: 'processing',
      submittedAt: ago(hour),
      partnerPaymentId: 'p',
      expiresAt: null,
      createdAt: ago(hour),
      endedAt: null,
      ...more,
    } as Collection,
    now,
  )

test('an unknown one: a quarter of its age, from 5 seconds to 5 minutes', () => {
  const unknown = { status: 'pending', partnerPaymentId: null } as const
  expect(look({ ...unknown, submittedAt: ago(1000) })).toBe(5000)
  expect(look({ ...unknown, submittedAt: ago(2 * minute) })).toBe(30_000)
  expect(look({ ...unknown, submittedAt: ago(day) })).toBe(5 * minute)
})

test('a known one is left to the list, until it should have ended for ten minutes; then at growing intervals', () => {
  expect(look({ expiresAt: ago(-20 * minute) })).toBe(30 * minute)
  expect(look({ expiresAt: ago(9 * minute) })).toBe(minute)
  expect(look({ expiresAt: ago(hour) })).toBe(hour)
  expect(look({ expiresAt: ago(3 * day) })).toBe(6 * hour)
  expect(look({ createdAt: ago(30 * minute) })).toBe(40 * minute)
})

test('one that has failed or expired: after an hour, a day and seven days, and never again', () => {
  for (const status of ['failed', 'expired'] as const) {
    expect(look({ status, endedAt: ago(0) })).toBe(hour)
    expect(look({ status, endedAt: ago(2 * hour) })).toBe(22 * hour)
    expect(look({ status, endedAt: ago(2 * day) })).toBe(5 * day)
    expect(look({ status, endedAt: ago(7 * day) })).toBeNull()
    expect(look({ status, endedAt: ago(0), partnerPaymentId: null })).toBeNull()
  }
})

test('final ones are never read again', () => {
  for (const status of ['completed', 'refunded'] as const)
    expect(look({ status, endedAt: ago(0) })).toBeNull()
})

test('an end that the partner names a century ahead does not postpone its next read', () => {
  expect(look({ expiresAt: new Date(now + 36_500 * day) })).toBe(6 * hour)
})
