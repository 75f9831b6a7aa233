import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Outcome } from '../chains/sending.ts'
import { judge, type Known } from './judge.ts'

const standings = ['seen', 'confirmed', 'final'] as const
const dayMs = 24 * 3_600_000

const known = (change: Partial<Known> = {}): Known => ({
  status: 'broadcast',
  signer: 'caller',
  failedBy: null,
  renewals: 0,
  hasTime: false,
  usedBy: null,
  ageMs: 1000,
  goneForMs: 60_000,
  goneAfterMs: 60_000,
  ...change,
})
const included = (standing: (typeof standings)[number], succeeded = true): Outcome => ({
  status: 'included',
  txId: '0x1',
  succeeded,
  reason: succeeded ? null : 'transfer amount exceeds balance',
  blockHeight: 5,
  blockId: '0x5',
  standing,
  fee: 21_000n,
  gasUsed: 21_000n,
})
const gone = (standing: (typeof standings)[number], reason: 'sequence_used' | 'expired' = 'expired'): Outcome => ({
  status: 'gone',
  reason,
  standing,
})
const absent: Outcome = { status: 'absent' }

const anyKnown = fc.record({
  status: fc.constantFrom('signed', 'broadcast', 'unknown', 'confirmed', 'failed', 'expired'),
  signer: fc.constantFrom('caller', 'external', 'wallet'),
  failedBy: fc.constantFrom('refused', 'policy', 'insufficient_balance', null),
  renewals: fc.nat({ max: 3 }),
  hasTime: fc.boolean(),
  usedBy: fc.constantFrom('ours', 'perhaps ours', 'stranger', null),
  ageMs: fc.nat({ max: 3 * dayMs }),
  goneForMs: fc.nat({ max: 120_000 }),
  goneAfterMs: fc.constant(60_000),
}) as fc.Arbitrary<Known>
const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant(absent),
  fc.record({ standing: fc.constantFrom(...standings), ok: fc.boolean() }).map(({ standing, ok }) => included(standing, ok)),
  fc
    .record({ standing: fc.constantFrom(...standings), reason: fc.constantFrom('sequence_used' as const, 'expired' as const) })
    .map(({ standing, reason }) => gone(standing, reason)),
)

describe('what is in a block', () => {
  test('is broadcast until it is as deep as the rule asks for, and settled when it is final', () => {
    expect(judge(known(), included('seen'))).toEqual({ status: 'broadcast', reason: null, act: 'none', settled: false })
    expect(judge(known(), included('confirmed'))).toEqual({ status: 'confirmed', reason: null, act: 'none', settled: false })
    expect(judge(known(), included('final'))).toEqual({ status: 'confirmed', reason: null, act: 'none', settled: true })
  })

  test('and did not do what it should has failed as reverted', () => {
    expect(judge(known(), included('confirmed', false))).toEqual({ status: 'failed', reason: 'reverted', act: 'none', settled: false })
  })

  test('is told as it is even where the network had refused it', () => {
    expect(judge(known({ status: 'failed', failedBy: 'refused' }), included('confirmed'))).toMatchObject({ status: 'confirmed', reason: null })
  })
})

describe('what is in no block', () => {
  test('is sent again, and keeps the doubt that there was', () => {
    for (const status of ['signed', 'broadcast', 'unknown'] as const) {
      expect(judge(known({ status }), absent)).toEqual({ status, reason: null, act: 'send', settled: false })
    }
  })

  test('any more is under way again: a fork took the block', () => {
    for (const status of ['confirmed', 'failed', 'expired'] as const) {
      expect(judge(known({ status }), absent)).toEqual({ status: 'broadcast', reason: null, act: 'send', settled: false })
    }
  })

  test('because the network refused it stays refused, is never sent again, and is looked for for a day', () => {
    const refused = known({ status: 'failed', failedBy: 'refused' })
    expect(judge(refused, absent)).toEqual({ status: 'failed', reason: 'refused', act: 'none', settled: false })
    expect(judge({ ...refused, ageMs: dayMs + 1 }, absent)).toMatchObject({ act: 'none', settled: true })
    expect(judge(refused, gone('final', 'sequence_used'))).toMatchObject({ status: 'failed', reason: 'refused', settled: true })
  })
})

test('what was not signed again has failed for that reason until what was sent before comes, or can never come', () => {
  const failed = known({ status: 'failed', signer: 'wallet', renewals: 1, failedBy: 'insufficient_balance', ageMs: 3 * dayMs })
  const verdict = { status: 'failed', reason: 'insufficient_balance', act: 'none' }
  for (const outcome of [absent, gone('seen'), gone('confirmed')]) expect(judge(failed, outcome)).toEqual({ ...verdict, settled: false })
  expect(judge(failed, gone('final'))).toEqual({ ...verdict, settled: true })
  expect(judge(failed, included('final'))).toMatchObject({ status: 'confirmed', reason: null, settled: true })
})

describe('what can come into no block any more', () => {
  test('has expired where its key is gone', () => {
    for (const signer of ['caller', 'external'] as const) {
      expect(judge(known({ signer }), gone('confirmed'))).toEqual({ status: 'expired', reason: 'expired', act: 'none', settled: false })
      expect(judge(known({ signer }), gone('final', 'sequence_used'))).toEqual({
        status: 'expired',
        reason: 'sequence_used',
        act: 'none',
        settled: true,
      })
    }
  })

  test('is signed anew by the treasury, once, and not before it is final', () => {
    const wallet = known({ signer: 'wallet' })
    expect(judge(wallet, gone('final'))).toEqual({ status: 'created', reason: null, act: 'renew', settled: false })
    expect(judge(wallet, gone('confirmed'))).toMatchObject({ status: 'broadcast', act: 'none' })
    expect(judge({ ...wallet, renewals: 1 }, gone('final'))).toEqual({ status: 'expired', reason: 'expired', act: 'none', settled: true })
  })

  test('is not signed anew while a transaction of it has time left, and not at all where nobody can tell for a day whether that is final', () => {
    const wallet = known({ signer: 'wallet', usedBy: 'ours' })
    expect(judge({ ...wallet, hasTime: true }, gone('final', 'sequence_used'))).toMatchObject({ status: 'broadcast', act: 'none', settled: false })
    expect(judge({ ...wallet, ageMs: dayMs + 1 }, gone('confirmed', 'sequence_used'))).toMatchObject({ status: 'expired', act: 'none' })
  })

  test('because another transaction used its sequence is signed again where that one is ours, waits where it may be, and has expired where it is not', () => {
    const used = (usedBy: Known['usedBy'], standing: (typeof standings)[number] = 'final') =>
      judge(known({ signer: 'wallet', usedBy }), gone(standing, 'sequence_used'))
    const expired = { status: 'expired', reason: 'sequence_used', act: 'none' }
    expect(used('ours')).toMatchObject({ status: 'created', act: 'renew' })
    expect(used('perhaps ours')).toEqual({ status: 'broadcast', reason: null, act: 'none', settled: false })
    for (const usedBy of ['stranger', null] as const) {
      expect(used(usedBy)).toEqual({ ...expired, settled: true })
      expect(used(usedBy, 'confirmed')).toEqual({ ...expired, settled: false })
      expect(used(usedBy, 'seen')).toMatchObject({ status: 'broadcast', act: 'none' })
    }
  })

  test('by one block only may come yet', () => {
    expect(judge(known(), gone('seen', 'sequence_used'))).toMatchObject({ status: 'broadcast', act: 'none', settled: false })
  })

  test('may come yet, however final that is, until it has been said for long enough: the node that says so may not have the block', () => {
    const brief = { goneForMs: 59_999 }
    for (const signer of ['caller', 'external', 'wallet'] as const) {
      expect(judge(known({ ...brief, signer }), gone('final'))).toEqual({ status: 'broadcast', reason: null, act: 'none', settled: false })
    }
    expect(judge(known({ ...brief, status: 'failed', failedBy: 'refused' }), gone('final'))).toMatchObject({ status: 'failed', settled: false })
  })
})

describe('whatever is known and whatever the chain says', () => {
  test('it is signed anew only where it can never come, and by the treasury alone', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const { act } = judge(before, outcome)
        if (act !== 'renew') return
        expect([outcome.status, before.signer, before.failedBy, before.renewals, before.hasTime]).toEqual(['gone', 'wallet', null, 0, false])
        expect(outcome).toMatchObject({ standing: 'final' })
        if (outcome.status === 'gone' && outcome.reason === 'sequence_used') expect(before.usedBy).toBe('ours')
        expect(before.goneForMs).toBeGreaterThanOrEqual(before.goneAfterMs)
      }),
    )
  })

  test('it is sent again only where it is in no block and may come into one', () => {
    fc.assert(fc.property(anyKnown, anyOutcome, (before, outcome) => judge(before, outcome).act !== 'send' || outcome.status === 'absent'))
  })

  test('it is settled only by what is final, or by a day after what was given up', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const { settled } = judge(before, outcome)
        const isGone = outcome.status === 'gone' && before.goneForMs >= before.goneAfterMs
        const isFinal = (outcome.status === 'included' || isGone) && outcome.standing === 'final'
        const isGivenUp = (before.failedBy === 'refused' || (isGone && outcome.standing === 'confirmed')) && before.ageMs > dayMs
        expect(settled && !isFinal && !isGivenUp).toBe(false)
      }),
    )
  })

  test('asking twice says the same', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const first = judge(before, outcome)
        if (first.act === 'renew') return
        expect(judge({ ...before, status: first.status, failedBy: first.reason === before.failedBy ? before.failedBy : null }, outcome)).toEqual(
          first,
        )
      }),
    )
  })
})
