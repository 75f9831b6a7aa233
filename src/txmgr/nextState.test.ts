import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Outcome } from '../chains/sending.ts'
import { type Known, nextState } from './nextState.ts'

const standings = ['seen', 'confirmed', 'final'] as const
const dayMs = 24 * 3_600_000

const known = (change: Partial<Known> = {}): Known => ({
  status: 'broadcast',
  signer: 'caller',
  failedBy: null,
  resigns: 0,
  hasTime: false,
  usedBy: null,
  ageMs: 1000,
  unminableForMs: 60_000,
  unminableAfterMs: 60_000,
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
const unminable = (standing: (typeof standings)[number], reason: 'sequence_used' | 'expired' = 'expired'): Outcome => ({
  status: 'unminable',
  reason,
  standing,
})
const absent: Outcome = { status: 'absent' }

const anyKnown = fc.record({
  status: fc.constantFrom('signed', 'broadcast', 'unknown', 'confirmed', 'failed', 'expired'),
  signer: fc.constantFrom('caller', 'external', 'wallet'),
  failedBy: fc.constantFrom('refused', 'policy', 'insufficient_balance', null),
  resigns: fc.nat({ max: 3 }),
  hasTime: fc.boolean(),
  usedBy: fc.constantFrom('ours', 'perhaps ours', 'unknown', null),
  ageMs: fc.nat({ max: 3 * dayMs }),
  unminableForMs: fc.nat({ max: 120_000 }),
  unminableAfterMs: fc.constant(60_000),
}) as fc.Arbitrary<Known>
const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant(absent),
  fc.record({ standing: fc.constantFrom(...standings), ok: fc.boolean() }).map(({ standing, ok }) => included(standing, ok)),
  fc
    .record({ standing: fc.constantFrom(...standings), reason: fc.constantFrom('sequence_used' as const, 'expired' as const) })
    .map(({ standing, reason }) => unminable(standing, reason)),
)

describe('an attempt in a block', () => {
  test('is broadcast until it is confirmed, and settled when it is final', () => {
    expect(nextState(known(), included('seen'))).toEqual({ status: 'broadcast', reason: null, act: 'wait', settled: false })
    expect(nextState(known(), included('confirmed'))).toEqual({ status: 'confirmed', reason: null, act: 'wait', settled: false })
    expect(nextState(known(), included('final'))).toEqual({ status: 'confirmed', reason: null, act: 'wait', settled: true })
  })

  test('that failed there has failed as reverted', () => {
    expect(nextState(known(), included('confirmed', false))).toEqual({ status: 'failed', reason: 'reverted', act: 'wait', settled: false })
  })

  test('is reported even if the network had refused it', () => {
    expect(nextState(known({ status: 'failed', failedBy: 'refused' }), included('confirmed'))).toMatchObject({ status: 'confirmed', reason: null })
  })
})

describe('an attempt in no block', () => {
  test('is sent again, and stays unknown if it was', () => {
    for (const status of ['signed', 'broadcast', 'unknown'] as const) {
      expect(nextState(known({ status }), absent)).toEqual({ status, reason: null, act: 'send', settled: false })
    }
  })

  test('any more is pending again: a reorg took the block', () => {
    for (const status of ['confirmed', 'failed', 'expired'] as const) {
      expect(nextState(known({ status }), absent)).toEqual({ status: 'broadcast', reason: null, act: 'send', settled: false })
    }
  })

  test('that the network refused stays refused, is never sent again, and is searched for a day', () => {
    const refused = known({ status: 'failed', failedBy: 'refused' })
    expect(nextState(refused, absent)).toEqual({ status: 'failed', reason: 'refused', act: 'wait', settled: false })
    expect(nextState({ ...refused, ageMs: dayMs + 1 }, absent)).toMatchObject({ act: 'wait', settled: true })
    expect(nextState(refused, unminable('final', 'sequence_used'))).toMatchObject({ status: 'failed', reason: 'refused', settled: true })
  })
})

test('an intent that was not signed again has failed for that reason until an earlier attempt is mined or unminable', () => {
  const failed = known({ status: 'failed', signer: 'wallet', resigns: 1, failedBy: 'insufficient_balance', ageMs: 3 * dayMs })
  const verdict = { status: 'failed', reason: 'insufficient_balance', act: 'wait' }
  for (const outcome of [absent, unminable('seen'), unminable('confirmed')])
    expect(nextState(failed, outcome)).toEqual({ ...verdict, settled: false })
  expect(nextState(failed, unminable('final'))).toEqual({ ...verdict, settled: true })
  expect(nextState(failed, included('final'))).toMatchObject({ status: 'confirmed', reason: null, settled: true })
})

describe('an unminable intent', () => {
  test('has expired if its key is not stored', () => {
    for (const signer of ['caller', 'external'] as const) {
      expect(nextState(known({ signer }), unminable('confirmed'))).toEqual({ status: 'expired', reason: 'expired', act: 'wait', settled: false })
      expect(nextState(known({ signer }), unminable('final', 'sequence_used'))).toEqual({
        status: 'expired',
        reason: 'sequence_used',
        act: 'wait',
        settled: true,
      })
    }
  })

  test('is signed again by the treasury, once, and only when that is final', () => {
    const wallet = known({ signer: 'wallet' })
    expect(nextState(wallet, unminable('final'))).toEqual({ status: 'created', reason: null, act: 'resign', settled: false })
    expect(nextState(wallet, unminable('confirmed'))).toMatchObject({ status: 'broadcast', act: 'wait' })
    expect(nextState({ ...wallet, resigns: 1 }, unminable('final'))).toEqual({ status: 'expired', reason: 'expired', act: 'wait', settled: true })
  })

  test('is not signed again before each attempt has expired, nor if finality is unknown for a day', () => {
    const wallet = known({ signer: 'wallet', usedBy: 'ours' })
    expect(nextState({ ...wallet, hasTime: true }, unminable('final', 'sequence_used'))).toMatchObject({
      status: 'broadcast',
      act: 'wait',
      settled: false,
    })
    expect(nextState({ ...wallet, ageMs: dayMs + 1 }, unminable('confirmed', 'sequence_used'))).toMatchObject({ status: 'expired', act: 'wait' })
  })

  test('whose nonce was used is signed again if the user is ours, waits if it may be, and has expired otherwise', () => {
    const used = (usedBy: Known['usedBy'], standing: (typeof standings)[number] = 'final') =>
      nextState(known({ signer: 'wallet', usedBy }), unminable(standing, 'sequence_used'))
    const expired = { status: 'expired', reason: 'sequence_used', act: 'wait' }
    expect(used('ours')).toMatchObject({ status: 'created', act: 'resign' })
    expect(used('perhaps ours')).toEqual({ status: 'broadcast', reason: null, act: 'wait', settled: false })
    for (const usedBy of ['unknown', null] as const) {
      expect(used(usedBy)).toEqual({ ...expired, settled: true })
      expect(used(usedBy, 'confirmed')).toEqual({ ...expired, settled: false })
      expect(used(usedBy, 'seen')).toMatchObject({ status: 'broadcast', act: 'wait' })
    }
  })

  test('according to one block only may still be mined', () => {
    expect(nextState(known(), unminable('seen', 'sequence_used'))).toMatchObject({ status: 'broadcast', act: 'wait', settled: false })
  })

  test('may still be mined until the report has lasted, at any finality: the reporting node may lack the block', () => {
    const brief = { unminableForMs: 59_999 }
    for (const signer of ['caller', 'external', 'wallet'] as const) {
      expect(nextState(known({ ...brief, signer }), unminable('final'))).toEqual({ status: 'broadcast', reason: null, act: 'wait', settled: false })
    }
    expect(nextState(known({ ...brief, status: 'failed', failedBy: 'refused' }), unminable('final'))).toMatchObject({
      status: 'failed',
      settled: false,
    })
  })
})

describe('for any stored state and any outcome', () => {
  test('only an unminable intent is signed again, and only by the treasury', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const { act } = nextState(before, outcome)
        if (act !== 'resign') return
        expect([outcome.status, before.signer, before.failedBy, before.resigns, before.hasTime]).toEqual(['gone', 'wallet', null, 0, false])
        expect(outcome).toMatchObject({ standing: 'final' })
        if (outcome.status === 'unminable' && outcome.reason === 'sequence_used') expect(before.usedBy).toBe('ours')
        expect(before.unminableForMs).toBeGreaterThanOrEqual(before.unminableAfterMs)
      }),
    )
  })

  test('only an attempt that is in no block and may still be mined is sent again', () => {
    fc.assert(fc.property(anyKnown, anyOutcome, (before, outcome) => nextState(before, outcome).act !== 'send' || outcome.status === 'absent'))
  })

  test('it is settled only by finality, or a day after it was given up', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const { settled } = nextState(before, outcome)
        const isGone = outcome.status === 'unminable' && before.unminableForMs >= before.unminableAfterMs
        const isFinal = (outcome.status === 'included' || isGone) && outcome.standing === 'final'
        const isGivenUp = (before.failedBy === 'refused' || (isGone && outcome.standing === 'confirmed')) && before.ageMs > dayMs
        expect(settled && !isFinal && !isGivenUp).toBe(false)
      }),
    )
  })

  test('it is idempotent', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const first = nextState(before, outcome)
        if (first.act === 'resign') return
        expect(nextState({ ...before, status: first.status, failedBy: first.reason === before.failedBy ? before.failedBy : null }, outcome)).toEqual(
          first,
        )
      }),
    )
  })
})
