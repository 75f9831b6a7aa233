import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { IntentStatus } from '../txmgr/intents.ts'
import {
  type IntentFacts,
  type KnownSweep,
  maxTries,
  nextSweep,
  type SweepFacts,
  type SweepStatus,
} from './nextSweep.ts'

const nothing: SweepFacts = {
  gas: null,
  intent: null,
  earlier: null,
  isAuthorized: false,
  authorization: 'unused',
  hasGas: false,
}
const intent = (status: IntentStatus, settled = false, reason: string | null = null): IntentFacts => ({
  status,
  settled,
  reason,
})
const direct = (status: SweepStatus, tries = 0): KnownSweep => ({
  status,
  payer: 'deposit',
  needsAuthorization: false,
  tries,
})
const authorized = (status: SweepStatus, tries = 0): KnownSweep => ({
  status,
  payer: 'treasury',
  needsAuthorization: true,
  tries,
})

describe('a sweep', () => {
  const cases: [string, KnownSweep, Partial<SweepFacts>, object][] = [
    ['without gas is funded', direct('planned'), {}, { status: 'funding', act: 'fund' }],
    ['with gas is sent', direct('planned'), { hasGas: true }, { status: 'ready', act: 'send' }],
    ['by authorization waits for it', authorized('planned'), {}, { status: 'authorizing', act: 'wait' }],
    [
      'that is authorized waits for others',
      authorized('authorizing'),
      { isAuthorized: true },
      { status: 'ready', act: 'wait' },
    ],
    [
      'whose authorization is over requests another',
      authorized('ready'),
      {},
      { status: 'authorizing', act: 'wait' },
    ],
    ['that is ready is sent', authorized('ready'), { isAuthorized: true }, { status: 'ready', act: 'send' }],
    [
      'that is funded is sent',
      direct('funding'),
      { gas: intent('confirmed'), hasGas: true },
      { status: 'ready', act: 'send' },
    ],
    [
      'whose gas is not enough any more is planned again',
      direct('funding'),
      { gas: intent('confirmed') },
      { status: 'planned', tries: 1 },
    ],
    [
      'whose gas may still come waits',
      direct('funding'),
      { gas: intent('failed') },
      { status: 'funding', act: 'wait', tries: 0 },
    ],
    [
      'whose gas cannot come is planned again',
      direct('funding'),
      { gas: intent('failed', true, 'refused') },
      { status: 'planned', reason: 'refused' },
    ],
    [
      'whose gas failed too often fails',
      direct('funding', maxTries - 1),
      { gas: intent('failed', true) },
      { status: 'failed' },
    ],
    [
      'in a confirmed block is swept',
      direct('sending'),
      { intent: intent('confirmed') },
      { status: 'swept' },
    ],
    ['in a final block is done', direct('swept'), { intent: intent('confirmed', true) }, { status: 'done' }],
    [
      'that a fork took back is sent',
      direct('swept'),
      { intent: intent('broadcast') },
      { status: 'sending' },
    ],
    [
      'that may still be mined is not sent again',
      authorized('sending'),
      { intent: intent('failed') },
      { status: 'sending', act: 'wait' },
    ],
    [
      'that failed for good is planned again by its address',
      direct('sending'),
      { intent: intent('failed', true) },
      { status: 'failed' },
    ],
    [
      'that failed with its authorization unused goes again',
      authorized('sending'),
      { intent: intent('failed', true) },
      { status: 'ready', tries: 1 },
    ],
    [
      'that an earlier intent has moved is done',
      authorized('sending'),
      { intent: intent('failed', true), earlier: intent('confirmed', true) },
      { status: 'done', act: 'wait' },
    ],
    [
      'that another sender has moved waits until that is final',
      authorized('sending'),
      { intent: intent('failed', true), authorization: 'used' },
      { status: 'sending', act: 'wait' },
    ],
    [
      'that another sender has moved for good is booked',
      authorized('sending'),
      { intent: intent('failed', true), authorization: 'final' },
      { status: 'done', act: 'book' },
    ],
  ]
  test.each(cases)('%s', (_what, known, facts, expected) => {
    expect(nextSweep(known, { ...nothing, ...facts })).toMatchObject(expected)
  })
})

const statuses: SweepStatus[] = [
  'planned',
  'waiting',
  'funding',
  'authorizing',
  'ready',
  'sending',
  'swept',
  'done',
  'failed',
]
const facts = fc.record({
  gas: fc.option(
    fc.record({
      status: fc.constantFrom<IntentStatus>('created', 'broadcast', 'confirmed', 'failed', 'expired'),
      settled: fc.boolean(),
      reason: fc.constant(null),
    }),
  ),
  intent: fc.option(
    fc.record({
      status: fc.constantFrom<IntentStatus>('created', 'broadcast', 'confirmed', 'failed', 'expired'),
      settled: fc.boolean(),
      reason: fc.constant(null),
    }),
  ),
  earlier: fc.constant(null),
  isAuthorized: fc.boolean(),
  authorization: fc.constantFrom('unused' as const, 'used' as const, 'final' as const),
  hasGas: fc.boolean(),
})
const known = fc.record({
  status: fc.constantFrom(...statuses),
  payer: fc.constantFrom('deposit' as const, 'treasury' as const),
  needsAuthorization: fc.boolean(),
  tries: fc.integer({ min: 0, max: maxTries }),
})

test('no second transaction is made while the first may still be mined, and an end is for good', () => {
  fc.assert(
    fc.property(known, facts, (sweep, found) => {
      const next = nextSweep(sweep, found)
      const isOpen = found.intent !== null && !(found.intent.settled && found.intent.status !== 'confirmed')
      if (sweep.status === 'sending' && isOpen)
        expect(next.status === 'ready' || next.act === 'send' || next.status === 'failed').toBe(false)
      if (sweep.status === 'done' || sweep.status === 'failed')
        expect([next.status, next.act]).toEqual([sweep.status, 'wait'])
      if (next.act === 'fund') expect(found.hasGas).toBe(false)
      if (next.act === 'book')
        expect([sweep.status, found.authorization]).toEqual([expect.stringMatching(/sending|swept/), 'final'])
    }),
  )
})
