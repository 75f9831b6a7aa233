import type { CollectionStatus } from '../../src/collections/collection.ts'

export const collectionStates = [
  'pending',
  'processing',
  'completed',
  'expired',
  'failed',
  'refunded',
] as const

/**
 * By hand, in the order of the states; `!`: with an alarm of a contradiction, `?`: of an unknown status, `*`:
 * of a refund or a settlement that failed.
 */
const rows: [words: string[], next: string][] = [
  [['CREATED', 'PENDING_APPROVAL'], 'pending processing completed! expired! failed! refunded!'],
  [['PROCESS', 'PROCESSING', 'PENDING'], 'processing processing completed! expired! failed! refunded!'],
  [['COMPLETE'], 'completed completed completed completed completed refunded!'],
  [['EXPIRED'], 'expired expired completed! expired failed refunded!'],
  [['FAILED', 'DENIED', 'CANCELLED'], 'failed failed completed! failed failed refunded!'],
  [['PENDING_REFUND', 'REFUND_PROCESSING'], 'processing processing completed! expired failed refunded!'],
  [['REFUND_FAILED'], 'processing* processing* completed! expired* failed* refunded!'],
  [['REFUNDED'], 'refunded refunded completed! refunded refunded refunded'],
  [
    ['SETTLEMENT_PENDING', 'SETTLEMENT_PROCESSING'],
    'processing processing completed expired failed refunded!',
  ],
  [['SETTLEMENT_COMPLETE'], 'completed completed completed completed completed refunded!'],
  [['SETTLEMENT_FAILED'], 'processing* processing* completed* expired* failed* refunded!'],
  [
    ['MYSTERY', 'COMPLETED', 'CANCELED', 'PENDING_LIQUIDITY', ''],
    'pending? processing? completed? expired? failed? refunded?',
  ],
]

export interface WordCase {
  /** The partner's. */
  word: string
  before: CollectionStatus
  status: CollectionStatus
  alarm: 'contradiction' | 'unknown_status' | 'refund_failed' | 'settlement_failed' | null
}

function caseOf(word: string, before: CollectionStatus, next = ''): WordCase {
  const [, status = '', mark = ''] = /^(\w+)([!?*]?)$/.exec(next) ?? []
  const ofMark: Record<string, WordCase['alarm']> = {
    '': null,
    '!': 'contradiction',
    '?': 'unknown_status',
    '*': word === 'REFUND_FAILED' ? 'refund_failed' : 'settlement_failed',
  }
  return { word, before, status: status as CollectionStatus, alarm: ofMark[mark] ?? null }
}

/** Each status of the partner for each state. */
export const wordCases: readonly WordCase[] = rows.flatMap(([words, next]) =>
  words.flatMap((word) => collectionStates.map((before, i) => caseOf(word, before, next.split(' ')[i]))),
)
