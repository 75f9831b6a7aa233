import { describe, expect, test } from '@jest/globals'
import { type IntentFacts, nextOutflow } from './nextOutflow.ts'
import { nextStatuses } from './nextStatuses.ts'
import type { OutflowStatus } from './outflow.ts'

const usual: IntentFacts = {
  status: 'broadcast',
  settled: false,
  reason: null,
  message: null,
  wasSigned: true,
  forMs: 0,
}
const next = (status: OutflowStatus, facts: Partial<IntentFacts>) => {
  const { status: to, reason, isOver } = nextOutflow({ status }, { ...usual, ...facts })
  return [to, reason, isOver]
}
const limit = 'the daily limit of USDC on ethereum is reached'
const failed = { status: 'failed', settled: true } as const

describe('the state of an outflow by its intent', () => {
  const cases: [string, OutflowStatus, Partial<IntentFacts>, ReturnType<typeof next>][] = [
    ['not signed yet', 'processing', { status: 'created', wasSigned: false }, ['processing', null, false]],
    ['sent', 'processing', { status: 'broadcast' }, ['processing', null, false]],
    ['confirmed', 'processing', { status: 'confirmed' }, ['completed', null, false]],
    ['confirmed after all', 'unknown', { status: 'confirmed', settled: true }, ['completed', null, true]],
    ['final', 'completed', { status: 'confirmed', settled: true }, ['completed', null, true]],
    ['taken back, and perhaps mined again', 'completed', { status: 'broadcast' }, ['completed', null, false]],
    [
      'taken back, failed in another block',
      'completed',
      { status: 'failed', reason: 'reverted' },
      ['completed', null, false],
    ],
    ['taken back for good', 'completed', { ...failed, reason: 'reverted' }, ['failed', 'taken_back', true]],
    [
      'taken back, and its nonce used',
      'completed',
      { status: 'expired', settled: true },
      ['failed', 'taken_back', true],
    ],
    [
      'reverted, in a block that a fork may take',
      'processing',
      { status: 'failed', reason: 'reverted' },
      ['processing', null, false],
    ],
    ['reverted for good', 'processing', { ...failed, reason: 'reverted' }, ['failed', 'reverted', true]],
    [
      'refused for its recipient',
      'processing',
      { ...failed, reason: 'recipient_without_trustline' },
      ['failed', 'recipient_without_trustline', true],
    ],
    [
      'refused by policy',
      'processing',
      { ...failed, reason: 'policy', message: 'x' },
      ['failed', 'refused_by_treasury', true],
    ],
    [
      'beyond the limit',
      'processing',
      { ...failed, reason: 'policy', message: limit, wasSigned: false },
      ['pending', 'daily_limit', false],
    ],
    [
      'too little',
      'processing',
      { ...failed, reason: 'insufficient_balance', wasSigned: false },
      ['pending', 'float_low', false],
    ],
    [
      'no native coin',
      'processing',
      { ...failed, reason: 'insufficient_native_balance', wasSigned: false },
      ['pending', 'treasury_gas_low', false],
    ],
    [
      'stopped by its gate, unsigned',
      'processing',
      { ...failed, reason: 'stopped', message: 'payment_reversed', wasSigned: false },
      ['pending', 'payment_reversed', false],
    ],
    [
      'stopped by its gate, signed and unsent',
      'processing',
      { ...failed, reason: 'stopped', message: 'payment_reversed' },
      ['failed', 'payment_reversed', true],
    ],
    [
      'too dear',
      'processing',
      { ...failed, reason: 'fee_too_high', wasSigned: false },
      ['pending', 'fee_too_high', false],
    ],
    [
      'too dear, and signed before',
      'processing',
      { ...failed, reason: 'fee_too_high' },
      ['failed', 'fee_too_high', true],
    ],
    [
      'too little, not settled',
      'processing',
      { status: 'failed', reason: 'insufficient_balance' },
      ['processing', null, false],
    ],
    [
      'expired',
      'processing',
      { status: 'expired', reason: 'sequence_used' },
      ['unknown', 'sequence_used', false],
    ],
    [
      'expired for good: a person has to decide',
      'unknown',
      { status: 'expired', reason: 'expired', settled: true },
      ['unknown', 'expired', false],
    ],
    [
      'no node answers for a moment',
      'processing',
      { status: 'unknown', forMs: 5000 },
      ['processing', null, false],
    ],
    ['no node answers', 'processing', { status: 'unknown', forMs: 60_000 }, ['unknown', 'no_answer', false]],
    ['nodes have it after all', 'unknown', { status: 'broadcast' }, ['processing', null, false]],
    [
      'failed after a doubt',
      'unknown',
      { ...failed, reason: 'insufficient_balance', wasSigned: false },
      ['failed', 'insufficient_balance', true],
    ],
  ]
  test.each(cases)('%s', (_what, status, facts, expected) => expect(next(status, facts)).toEqual(expected))
  test('each follows the one before', () => {
    for (const [, from, , [to]] of cases) if (from !== to) expect(nextStatuses[from]).toContain(to)
  })
  test('nothing is given back before its intent is settled', () => {
    for (const status of ['processing', 'unknown', 'completed'] as const)
      for (const its of ['created', 'signed', 'broadcast', 'failed', 'expired', 'unknown'] as const)
        for (const reason of ['reverted', 'insufficient_balance', 'policy'])
          expect(['failed', 'pending']).not.toContain(
            next(status, { status: its, reason, wasSigned: false, forMs: 1e9 })[0],
          )
  })
})
