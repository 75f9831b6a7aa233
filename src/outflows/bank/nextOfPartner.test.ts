import { expect, test } from '@jest/globals'
import { nextStatuses } from '../nextStatuses.ts'
import type { OutflowStatus } from '../outflow.ts'
import { nextOfPartner } from './nextOfPartner.ts'

const states = [
  'awaiting_claim',
  'awaiting_approval',
  'pending',
  'processing',
  'unknown',
  'completed',
  'returned',
  'failed',
  'cancelled',
] as const
const open = ['CREATED', 'PENDING_APPROVAL', 'PROCESS', 'PROCESSING', 'PENDING_LIQUIDITY', 'PENDING']
const unpaid = ['FAILED', 'EXPIRED', 'DENIED']
const strange = ['MYSTERY', 'COMPLETED', '']

/**
 * By hand, in the order of `states`; `!`: with an alarm of a contradiction, `?`: with one of an unknown term.
 */
const rows: [words: string[], next: string][] = [
  [
    open,
    'awaiting_claim! awaiting_approval! pending! processing processing completed returned! failed! cancelled!',
  ],
  [
    ['COMPLETE'],
    'awaiting_claim! awaiting_approval! pending! completed completed completed returned! failed! cancelled!',
  ],
  [unpaid, 'awaiting_claim! awaiting_approval! pending! failed failed returned returned failed cancelled'],
  [
    strange,
    'awaiting_claim? awaiting_approval? pending? processing? unknown? completed? returned? failed? cancelled?',
  ],
]
const cases = rows.flatMap(([words, next]) =>
  words.flatMap((word) => states.map((state, i) => [word, state, next.split(' ')[i] ?? ''] as const)),
)

const alarms = { '!': 'contradiction', '?': 'unknown_status' } as const

test.each(cases)('%s for a payout that is %s: %s', (word, state, expected) => {
  const [, status = '', mark = ''] = /^(\w+)([!?]?)$/.exec(expected) ?? []
  const next = { status, alarm: alarms[mark as keyof typeof alarms] ?? null }
  expect(nextOfPartner(state, word)).toEqual(next)
  expect(nextOfPartner(state, word.toLowerCase())).toEqual(next)
  if (next.status !== state) expect(nextStatuses[state]).toContain(next.status as OutflowStatus)
})

test('the table has every state', () => {
  expect([...states].sort()).toEqual(Object.keys(nextStatuses).sort())
})
