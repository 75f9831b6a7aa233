import { expect, test } from '@jest/globals'
import { nextBankLookMs } from './nextBankLook.ts'

const minute = 60_000
const after = (
  ms: number,
  more: { partnerPaymentId?: string | null; status?: 'processing' | 'unknown' } = {},
) =>
  nextBankLookMs(
    { pollMs: null },
    { submittedAt: new Date(Date.now() - ms), partnerPaymentId: 'named', status: 'processing', ...more },
  )

test.each([
  ['just submitted', after(0), 5000],
  ['a minute old', after(minute), 15_000],
  ['that the list shows', after(3 * minute), 10 * minute],
  ['that should have ended', after(120 * minute), 30 * minute],
  ['of last week', after(7 * 24 * 60 * minute), 360 * minute],
  ['that the partner has not named', after(3 * minute, { partnerPaymentId: null }), 45_000],
  ['that is unknown', after(120 * minute, { status: 'unknown' }), 5 * minute],
])('a payout %s', (_name, ms, expected) => expect(Math.abs(ms - expected)).toBeLessThan(100))
