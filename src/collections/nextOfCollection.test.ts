import { expect, test } from '@jest/globals'
import type { CollectionStatus } from './collection.ts'
import { nextOfCollection, nextStatuses } from './nextOfCollection.ts'

const states = ['pending', 'processing', 'completed', 'expired', 'failed', 'refunded'] as const

/** By hand, in the order of `states`; `!`: with an alarm of a contradiction, `?`: of an unknown word, `*`: of a refund or a settlement that failed. */
const rows: [words: string[], next: string][] = [
  [['CREATED', 'PENDING_APPROVAL'], 'pending processing completed! expired! failed! refunded!'],
  [['PROCESS', 'PROCESSING', 'PENDING'], 'processing processing completed! expired! failed! refunded!'],
  [['COMPLETE'], 'completed completed completed completed completed refunded!'],
  [['EXPIRED'], 'expired expired completed! expired failed refunded!'],
  [['FAILED', 'DENIED', 'CANCELLED'], 'failed failed completed! failed failed refunded!'],
  [['PENDING_REFUND', 'REFUND_PROCESSING'], 'processing processing completed! expired failed refunded!'],
  [['REFUND_FAILED'], 'processing* processing* completed! expired* failed* refunded!'],
  [['REFUNDED'], 'refunded refunded completed! refunded refunded refunded'],
  [['SETTLEMENT_PENDING', 'SETTLEMENT_PROCESSING'], 'processing processing completed expired failed refunded!'],
  [['SETTLEMENT_COMPLETE'], 'completed completed completed completed completed refunded!'],
  [['SETTLEMENT_FAILED'], 'processing* processing* completed* expired* failed* refunded!'],
  [['MYSTERY', 'COMPLETED', 'CANCELED', 'PENDING_LIQUIDITY', ''], 'pending? processing? completed? expired? failed? refunded?'],
]
const cases = rows.flatMap(([words, next]) => words.flatMap((word) => states.map((state, i) => [word, state, next.split(' ')[i] ?? ''] as const)))

const alarmOf = (mark: string, word: string) =>
  ({ '': null, '!': 'contradiction', '?': 'unknown_status', '*': word === 'REFUND_FAILED' ? 'refund_failed' : 'settlement_failed' })[mark]

test.each(cases)('%s for a collection that is %s: %s', (word, state, expected) => {
  const [, status = '', mark = ''] = /^(\w+)([!?*]?)$/.exec(expected) ?? []
  const next = { status, alarm: alarmOf(mark, word) }
  expect(nextOfCollection(state, word)).toEqual(next)
  expect(nextOfCollection(state, word.toLowerCase())).toEqual(next)
  if (next.status !== state) expect(nextStatuses[state]).toContain(next.status as CollectionStatus)
})

test('the table has every state', () => {
  expect([...states].sort()).toEqual(Object.keys(nextStatuses).sort())
})

test('what is final stays: nothing follows it', () => {
  expect([nextStatuses.completed, nextStatuses.refunded]).toEqual([[], []])
})
