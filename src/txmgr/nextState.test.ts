import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Broadcast, Outcome } from '../chains/sending.ts'
import { type IntentEvent, isOutcome, type Known, nextState } from './nextState.ts'

const standings = ['seen', 'confirmed', 'final'] as const
const dayMs = 24 * 3_600_000

/** A stored state, with all that a report depends on. */
type Case = Known & Omit<Extract<IntentEvent, { kind: 'reported' }>, 'kind' | 'outcome'>

const known = (change: Partial<Case> = {}): Case => ({
  purpose: 'transfer',
  status: 'broadcast',
  signer: 'caller',
  reason: null,
  message: null,
  txId: '0x1',
  blockHeight: null,
  resigns: 0,
  isCancelled: false,
  isNoop: false,
  hasTime: false,
  usedBy: null,
  ageMs: 1000,
  unminableForMs: 60_000,
  unminableAfterMs: 60_000,
  ...change,
})
const reported = ({ isNoop, hasTime, usedBy, ageMs, unminableAfterMs, ...state }: Case, outcome: Outcome) =>
  nextState(state, { kind: 'reported', outcome, isNoop, hasTime, usedBy, ageMs, unminableAfterMs })
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
const unminable = (
  standing: (typeof standings)[number],
  reason: 'sequence_used' | 'expired' = 'expired',
): Outcome => ({
  status: 'unminable',
  reason,
  standing,
})
const absent: Outcome = { status: 'absent' }

const anyKnown: fc.Arbitrary<Case> = fc.record({
  purpose: fc.constantFrom('transfer', 'noop'),
  status: fc.constantFrom('created', 'signed', 'broadcast', 'unknown', 'confirmed', 'failed', 'expired'),
  signer: fc.constantFrom('caller', 'external', 'wallet'),
  reason: fc.constantFrom('refused', 'policy', 'insufficient_balance', 'reverted', 'cancelled', null),
  message: fc.constantFrom('in words', null),
  txId: fc.constantFrom('0x1', null),
  blockHeight: fc.constantFrom(5, null),
  resigns: fc.nat({ max: 2 }),
  isCancelled: fc.boolean(),
  isNoop: fc.boolean(),
  hasTime: fc.boolean(),
  usedBy: fc.constantFrom('ours', 'perhaps ours', 'unknown', null),
  ageMs: fc.nat({ max: 3 * dayMs }),
  unminableForMs: fc.constantFrom(0, 59_999, 60_000, 120_000),
  unminableAfterMs: fc.constant(60_000),
})
const anyOutcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constant(absent),
  fc
    .record({ standing: fc.constantFrom(...standings), ok: fc.boolean() })
    .map(({ standing, ok }) => included(standing, ok)),
  fc
    .record({
      standing: fc.constantFrom(...standings),
      reason: fc.constantFrom('sequence_used' as const, 'expired' as const),
    })
    .map(({ standing, reason }) => unminable(standing, reason)),
)

/** The reason of a failure outside a block. */
const failedBy = ({ status, reason }: Known) => (status === 'failed' && reason !== 'reverted' ? reason : null)

describe('an attempt in a block', () => {
  test('is broadcast until it is confirmed, and settled when it is final', () => {
    expect(reported(known(), included('seen'))).toMatchObject({
      status: 'broadcast',
      reason: null,
      act: 'wait',
      settled: false,
    })
    expect(reported(known(), included('confirmed'))).toMatchObject({
      status: 'confirmed',
      reason: null,
      act: 'wait',
      settled: false,
    })
    expect(reported(known(), included('final'))).toMatchObject({
      status: 'confirmed',
      reason: null,
      act: 'wait',
      settled: true,
    })
  })

  test('that failed there has failed as reverted', () => {
    expect(reported(known(), included('confirmed', false))).toMatchObject({
      status: 'failed',
      reason: 'reverted',
      act: 'wait',
      settled: false,
    })
  })

  test('is reported even if the network had refused it', () => {
    expect(reported(known({ status: 'failed', reason: 'refused' }), included('confirmed'))).toMatchObject({
      status: 'confirmed',
      reason: null,
    })
  })
})

describe('an attempt in no block', () => {
  test('is sent again, and stays unknown if it was', () => {
    for (const status of ['signed', 'broadcast', 'unknown'] as const) {
      expect(reported(known({ status }), absent)).toMatchObject({
        status,
        reason: null,
        act: 'send',
        settled: false,
      })
    }
  })

  test('any more is pending again: a reorg took the block', () => {
    for (const status of ['confirmed', 'failed', 'expired'] as const) {
      expect(reported(known({ status }), absent)).toMatchObject({
        status: 'broadcast',
        reason: null,
        act: 'send',
        settled: false,
      })
    }
  })

  test('that the network refused stays refused, is never sent again, and is searched for a day', () => {
    const refused = known({ status: 'failed', reason: 'refused' })
    expect(reported(refused, absent)).toMatchObject({
      status: 'failed',
      reason: 'refused',
      act: 'wait',
      settled: false,
    })
    expect(reported({ ...refused, ageMs: dayMs + 1 }, absent)).toMatchObject({ act: 'wait', settled: true })
    const tooDear = { ...refused, signer: 'wallet', reason: 'fee_too_high' } as const
    expect(reported(tooDear, absent)).toMatchObject({
      status: 'failed',
      reason: 'fee_too_high',
      act: 'wait',
      settled: false,
    })
    expect(reported({ ...tooDear, ageMs: dayMs + 1 }, absent)).toMatchObject({
      reason: 'fee_too_high',
      settled: true,
    })
    expect(reported({ ...tooDear, resigns: 1, ageMs: dayMs + 1 }, absent)).toMatchObject({
      reason: 'fee_too_high',
      settled: false,
    })
    expect(reported(refused, unminable('final', 'sequence_used'))).toMatchObject({
      status: 'failed',
      reason: 'refused',
      settled: true,
    })
  })
})

test('an intent that was not signed again has failed for that reason until an earlier attempt is mined or unminable', () => {
  const failed = known({
    status: 'failed',
    signer: 'wallet',
    resigns: 1,
    reason: 'insufficient_balance',
    ageMs: 3 * dayMs,
  })
  const verdict = { status: 'failed', reason: 'insufficient_balance', act: 'wait' }
  for (const outcome of [absent, unminable('seen'), unminable('confirmed')])
    expect(reported(failed, outcome)).toMatchObject({ ...verdict, settled: false })
  expect(reported(failed, unminable('final'))).toMatchObject({ ...verdict, settled: true })
  expect(reported(failed, included('final'))).toMatchObject({
    status: 'confirmed',
    reason: null,
    settled: true,
  })
})

describe('an unminable intent', () => {
  test('has expired if its key is not stored', () => {
    for (const signer of ['caller', 'external'] as const) {
      expect(reported(known({ signer }), unminable('confirmed'))).toMatchObject({
        status: 'expired',
        reason: 'expired',
        act: 'wait',
        settled: false,
      })
      expect(reported(known({ signer }), unminable('final', 'sequence_used'))).toMatchObject({
        status: 'expired',
        reason: 'sequence_used',
        act: 'wait',
        settled: true,
      })
    }
  })

  test('is signed again by the treasury, once, and only when that is final', () => {
    const wallet = known({ signer: 'wallet' })
    expect(reported(wallet, unminable('final'))).toMatchObject({
      status: 'created',
      reason: null,
      act: 'resign',
      settled: false,
    })
    expect(reported(wallet, unminable('confirmed'))).toMatchObject({ status: 'broadcast', act: 'wait' })
    expect(reported({ ...wallet, resigns: 1 }, unminable('final'))).toMatchObject({
      status: 'expired',
      reason: 'expired',
      act: 'wait',
      settled: true,
    })
  })

  test('is not signed again before each attempt has expired, nor if finality is unknown for a day', () => {
    const wallet = known({ signer: 'wallet', usedBy: 'ours' })
    expect(reported({ ...wallet, hasTime: true }, unminable('final', 'sequence_used'))).toMatchObject({
      status: 'broadcast',
      act: 'wait',
      settled: false,
    })
    expect(reported({ ...wallet, ageMs: dayMs + 1 }, unminable('confirmed', 'sequence_used'))).toMatchObject({
      status: 'expired',
      act: 'wait',
    })
  })

  test('whose nonce was used is signed again if the user is an intent and it is no no-op, waits if it may be, and has expired otherwise', () => {
    const used = (usedBy: Case['usedBy'], standing: (typeof standings)[number] = 'final') =>
      reported(known({ signer: 'wallet', usedBy }), unminable(standing, 'sequence_used'))
    const expired = { status: 'expired', reason: 'sequence_used', act: 'wait' }
    expect(used('ours')).toMatchObject({ status: 'created', act: 'resign' })
    const noop = known({ purpose: 'noop', signer: 'wallet', usedBy: 'ours' })
    expect(reported(noop, unminable('final', 'sequence_used'))).toMatchObject({ ...expired, settled: true })
    expect(used('perhaps ours')).toMatchObject({
      status: 'broadcast',
      reason: null,
      act: 'wait',
      settled: false,
    })
    for (const usedBy of ['unknown', null] as const) {
      expect(used(usedBy)).toMatchObject({ ...expired, settled: true })
      expect(used(usedBy, 'confirmed')).toMatchObject({ ...expired, settled: false })
      expect(used(usedBy, 'seen')).toMatchObject({ status: 'broadcast', act: 'wait' })
    }
  })

  test('according to one block only may still be mined', () => {
    expect(reported(known(), unminable('seen', 'sequence_used'))).toMatchObject({
      status: 'broadcast',
      act: 'wait',
      settled: false,
    })
  })

  test('may still be mined until the report has lasted, at any finality: the reporting node may lack the block', () => {
    const brief = { unminableForMs: 59_999 }
    for (const signer of ['caller', 'external', 'wallet'] as const) {
      expect(reported(known({ ...brief, signer }), unminable('final'))).toMatchObject({
        status: 'broadcast',
        reason: null,
        act: 'wait',
        settled: false,
      })
    }
    expect(
      reported(known({ ...brief, status: 'failed', reason: 'refused' }), unminable('final')),
    ).toMatchObject({
      status: 'failed',
      settled: false,
    })
  })
})

describe('a cancelled intent', () => {
  const wallet = known({ signer: 'wallet', isCancelled: true })
  const cancelled = {
    status: 'failed',
    reason: 'cancelled',
    message: 'It was cancelled: nothing was paid',
    act: 'wait',
  }

  test('has failed once the no-op is confirmed; its own transaction in a block is reported instead', () => {
    expect(reported({ ...wallet, isNoop: true }, included('seen'))).toMatchObject({
      status: 'broadcast',
      reason: null,
      settled: false,
    })
    expect(reported({ ...wallet, isNoop: true }, included('confirmed'))).toEqual({
      ...cancelled,
      txId: '0x1',
      settled: false,
    })
    // The account may have code that reverts: the nonce is used all the same.
    expect(reported({ ...wallet, isNoop: true }, included('final', false))).toEqual({
      ...cancelled,
      txId: '0x1',
      settled: true,
    })
    expect(reported(wallet, included('final'))).toMatchObject({
      status: 'confirmed',
      reason: null,
      settled: true,
    })
    expect(reported(wallet, included('final', false))).toMatchObject({
      status: 'failed',
      reason: 'reverted',
      settled: true,
    })
  })

  test('whose no-op a reorg took back is pending again, and may be confirmed', () => {
    const failed = known({ ...wallet, status: 'failed', reason: 'cancelled', blockHeight: 5 })
    expect(reported(failed, absent)).toMatchObject({
      status: 'broadcast',
      reason: null,
      act: 'send',
      settled: false,
    })
    expect(reported(failed, included('confirmed'))).toMatchObject({ status: 'confirmed', reason: null })
  })

  test('that failed before it was in a block stays so, and is confirmed if it was mined after all', () => {
    const failed = known({ ...wallet, status: 'failed', reason: 'cancelled', message: 'in words' })
    expect(reported(failed, absent)).toMatchObject({
      status: 'failed',
      reason: 'cancelled',
      message: 'in words',
      act: 'wait',
      settled: false,
    })
    expect(reported(failed, included('confirmed'))).toMatchObject({ status: 'confirmed', reason: null })
  })

  test('is never signed again: it has failed where its time is over, and expired where it may have been paid', () => {
    expect(reported(wallet, unminable('final'))).toMatchObject({ ...cancelled, settled: true })
    expect(reported({ ...wallet, usedBy: 'ours' }, unminable('final', 'sequence_used'))).toMatchObject({
      ...cancelled,
      settled: true,
    })
    expect(reported({ ...wallet, usedBy: 'unknown' }, unminable('final', 'sequence_used'))).toMatchObject({
      status: 'expired',
      reason: 'sequence_used',
    })
    expect(reported({ ...wallet, unminableForMs: 59_999 }, unminable('final'))).toMatchObject({
      status: 'broadcast',
      settled: false,
    })
  })
})

describe('for any stored state and any outcome', () => {
  test('only an unminable intent is signed again, and only by the treasury', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const { act } = reported(before, outcome)
        if (act !== 'resign') return
        expect([before.purpose, before.isCancelled]).toEqual(['transfer', false])
        expect([outcome.status, before.signer, failedBy(before), before.resigns, before.hasTime]).toEqual([
          'unminable',
          'wallet',
          null,
          0,
          false,
        ])
        expect(outcome).toMatchObject({ standing: 'final' })
        if (outcome.status === 'unminable' && outcome.reason === 'sequence_used')
          expect(before.usedBy).toBe('ours')
        expect(before.unminableForMs).toBeGreaterThanOrEqual(before.unminableAfterMs)
      }),
    )
  })

  test('only an attempt that is in no block and may still be mined is sent again', () => {
    fc.assert(
      fc.property(
        anyKnown,
        anyOutcome,
        (before, outcome) => reported(before, outcome).act !== 'send' || outcome.status === 'absent',
      ),
    )
  })

  test('it is settled only by finality, or a day after it was given up', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const { settled } = reported(before, outcome)
        const isGone = outcome.status === 'unminable' && before.unminableForMs >= before.unminableAfterMs
        const isFinal = (outcome.status === 'included' || isGone) && outcome.standing === 'final'
        const isGivenUp =
          (failedBy(before) === 'refused' || (isGone && outcome.standing === 'confirmed')) &&
          before.ageMs > dayMs
        expect(settled && !isFinal && !isGivenUp).toBe(false)
      }),
    )
  })

  test('it is idempotent', () => {
    fc.assert(
      fc.property(anyKnown, anyOutcome, (before, outcome) => {
        const first = reported(before, outcome)
        if (first.act === 'resign') return
        const { status, reason, message, txId } = first
        expect(reported({ ...before, status, reason, message, txId }, outcome)).toEqual(first)
      }),
    )
  })
})

describe('a signature', () => {
  test('makes a new intent signed, without the reason of an earlier round', () => {
    for (const signer of ['caller', 'external', 'wallet'] as const) {
      const before = known({ status: 'created', signer, reason: 'x', message: 'y', txId: null })
      expect(nextState(before, { kind: 'signed', txId: '0x2' })).toEqual({
        ...{ status: 'signed', reason: null, message: null, txId: '0x2' },
        ...{ act: 'wait', settled: false },
      })
    }
  })

  test('by a caller’s key at another nonce reports the new attempt; the treasury’s bump of a fee the sent one', () => {
    const signed = { kind: 'signed', txId: '0x2' } as const
    expect(nextState(known({ status: 'unknown' }), signed)).toMatchObject({ status: 'signed', txId: '0x2' })
    expect(nextState(known({ signer: 'wallet' }), signed)).toMatchObject({ status: 'broadcast', txId: '0x1' })
    expect(nextState(known({ signer: 'wallet', txId: null }), signed)).toMatchObject({
      status: 'broadcast',
      txId: '0x2',
    })
  })
})

type Answered = Extract<IntentEvent, { kind: 'answered' }>
const answered = (status: Broadcast['status'] | null, change: Partial<Answered> = {}): Answered => {
  const { isFirstSend = true, othersSent = false } = change
  return {
    kind: 'answered',
    number: 0,
    txId: '0x2',
    answer: status === null ? null : { status, message: 'in words' },
    isFirstSend,
    othersSent,
    neverTaken: isFirstSend && !othersSent,
    feeWaitIsOver: false,
    ...change,
  }
}

describe('an answer to a broadcast', () => {
  test('that accepts makes the intent broadcast, with the hash of the attempt', () => {
    for (const status of ['signed', 'unknown'] as const)
      expect(nextState(known({ status }), answered('accepted'))).toMatchObject({
        status: 'broadcast',
        txId: '0x2',
        act: 'wait',
      })
  })

  test('that refuses the only send fails it, and all bytes are deleted', () => {
    expect(nextState(known({ status: 'signed' }), answered('refused'))).toEqual({
      ...{ status: 'failed', reason: 'refused', message: 'in words', txId: '0x1' },
      ...{ act: 'drop all', settled: false },
    })
  })

  test('that refuses a first send deletes those bytes only, if another attempt was sent', () => {
    expect(nextState(known({ status: 'signed' }), answered('refused', { othersSent: true }))).toMatchObject({
      status: 'unknown',
      act: 'drop',
    })
  })

  test('that refuses a later send fails it only if every send was refused', () => {
    const refusedAgain = answered('refused', { isFirstSend: false, neverTaken: true })
    expect(nextState(known({ status: 'signed' }), refusedAgain)).toMatchObject({
      status: 'failed',
      reason: 'refused',
      act: 'drop all',
    })
    const extra = answered('refused', { othersSent: true, neverTaken: true })
    expect(nextState(known({ status: 'signed' }), extra)).toMatchObject({ status: 'unknown', act: 'drop' })
  })

  test('for its price alone makes an intent that the treasury signs wait, with its bytes', () => {
    for (const status of ['signed', 'unknown', 'broadcast'] as const)
      expect(nextState(known({ status, signer: 'wallet' }), answered('underpriced'))).toMatchObject({
        status,
        reason: null,
        act: 'wait',
        settled: false,
      })
  })

  test('for its price alone fails an intent after its wait, unless a node may have its bytes', () => {
    const over = answered('underpriced', { isFirstSend: false, neverTaken: true, feeWaitIsOver: true })
    expect(nextState(known({ status: 'signed', signer: 'wallet' }), over)).toMatchObject({
      ...{ status: 'failed', reason: 'fee_too_high', message: 'in words', act: 'drop all', settled: false },
    })
    const doubt = { ...over, neverTaken: false }
    expect(nextState(known({ status: 'signed', signer: 'wallet' }), doubt)).toMatchObject({
      status: 'signed',
      act: 'wait',
    })
  })

  test('for its price alone fails an intent whose key is gone', () => {
    for (const signer of ['caller', 'external'] as const)
      expect(nextState(known({ status: 'signed', signer }), answered('underpriced'))).toMatchObject({
        status: 'failed',
        reason: 'refused',
        act: 'drop all',
      })
  })

  test('that refuses a later send proves nothing', () => {
    expect(nextState(known({ status: 'signed' }), answered('refused', { isFirstSend: false }))).toMatchObject(
      { status: 'unknown', act: 'wait' },
    )
  })

  test('of a busy node changes nothing; no answer, or a used nonce, leaves it unknown', () => {
    expect(nextState(known({ status: 'signed' }), answered('busy'))).toMatchObject({
      status: 'signed',
      act: 'wait',
    })
    for (const status of [null, 'nonce_used', 'nonce_taken', 'expired'] as const)
      expect(nextState(known({ status: 'signed' }), answered(status))).toMatchObject({
        status: 'unknown',
        act: 'wait',
      })
  })
})

test('a failure settles an intent of which nothing was sent; another waits for the outcome', () => {
  const failed = { kind: 'failed', reason: 'given_up', message: 'x'.repeat(400) } as const
  const before = known({ status: 'created', signer: 'wallet' })
  expect(nextState(before, { ...failed, sent: [] })).toMatchObject({
    status: 'failed',
    reason: 'given_up',
    txId: null,
    settled: true,
  })
  expect(nextState(before, { ...failed, sent: ['0x2'] })).toMatchObject({ txId: null, settled: false })
  const after = nextState(before, { ...failed, sent: ['0x1'] })
  expect([after.status, after.settled, after.message?.length, after.txId]).toEqual([
    'failed',
    false,
    300,
    '0x1',
  ])
})

test('an intent whose bytes another one took over is settled as it is', () => {
  const before = known({ status: 'failed', reason: 'refused', message: 'in words' })
  expect(nextState(before, { kind: 'taken over' })).toMatchObject({
    status: 'failed',
    reason: 'refused',
    message: 'in words',
    settled: true,
  })
})

describe('for any stored state and any answer', () => {
  const anyAnswer = fc
    .record({
      status: fc.constantFrom(
        'accepted',
        'busy',
        'nonce_used',
        'nonce_taken',
        'expired',
        'refused',
        'underpriced',
        null,
      ),
      isFirstSend: fc.boolean(),
      othersSent: fc.boolean(),
      neverTaken: fc.boolean(),
      feeWaitIsOver: fc.boolean(),
    })
    .map(({ status, ...change }) => answered(status, change))

  test('an outcome stays, and its transaction, if it is in a block', () => {
    fc.assert(
      fc.property(anyKnown, anyAnswer, (before, event) => {
        const next = nextState(before, event)
        if (isOutcome(before.status))
          expect(next).toMatchObject({
            status: before.status,
            reason: before.reason,
            message: before.message,
          })
        if (before.blockHeight !== null) expect(next.txId).toBe(before.txId)
        expect(next.settled).toBe(false)
      }),
    )
  })

  test('bytes are deleted only after their first send was refused, and the nonce is freed only if no node has any', () => {
    fc.assert(
      fc.property(anyKnown, anyAnswer, (before, event) => {
        const { act, status } = nextState(before, event)
        if (act === 'drop' || act === 'drop all')
          expect(event.answer?.status).toMatch(/^(refused|underpriced)$/)
        if (act === 'drop') expect(event.isFirstSend).toBe(true)
        if (act === 'drop all') expect([event.neverTaken, status]).toEqual([true, 'failed'])
        else if (!isOutcome(before.status)) expect(status).not.toBe('failed')
      }),
    )
  })
})
