import { expect, test } from '@jest/globals'
import { subjectKind, subjectPath } from './subjectPath.ts'

test('an object of a business is on a page of it; an operator sees those of the platform', () => {
  expect(subjectPath({ kind: 'payout', id: 'p' }, 'b')).toBe('/b/b/payouts/p')
  expect(subjectPath({ kind: 'payment_link', id: 'l' }, 'b')).toBe('/b/b/payment-links/l')
  expect(subjectPath({ kind: 'payout_batch', id: 'p' }, 'b')).toBe('/b/b/payouts/batches/p')
  expect(subjectPath({ kind: 'callback_host', id: 'h' }, 'b')).toBe('/b/b/settings/webhooks')
  expect(subjectPath({ kind: 'business', id: 'b' }, null)).toBe('/platform/businesses/b')
  expect(subjectPath({ kind: 'payout', id: 'p' }, null)).toBeUndefined()
  expect(subjectPath({ kind: 'constructor', id: 'p' }, 'b')).toBeUndefined()
})

test('a kind is shown in words', () =>
  expect([subjectKind('session'), subjectKind('monitored_address')]).toEqual([
    'Payment',
    'Monitored address',
  ]))
