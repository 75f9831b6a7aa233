import { isDeepStrictEqual } from 'node:util'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createRandom } from '../../../../test/promises/foreignBytes/mutate.ts'
import { full, howMany } from '../../../../test/support/full.ts'
import {
  answerId,
  madeReceipts,
  oddChanges,
  plainChanges,
  polygonCoin,
  receiptsAnswer,
} from '../../../../test/support/receiptAnswers.ts'
import { bothReadings } from '../../../../test/support/receiptReadings.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'

/** Small: the reference takes most of the time. */
const answers = [
  ...Array.from({ length: 6 }, (_, seed) => receiptsAnswer(madeReceipts(createRandom(seed), 3))),
  receiptsAnswer(renumbered(recordedBlock('ethereum/18000000').receipts.slice(0, 2))),
  receiptsAnswer(renumbered(recordedBlock('polygon/50000000').receipts.slice(4, 6))),
]

function renumbered<R extends { logs: object[] }>(receipts: readonly R[]): R[] {
  let next = 0
  return receipts.map((receipt) => ({
    ...receipt,
    logs: receipt.logs.map((log) => ({ ...log, logIndex: `0x${(next++).toString(16)}` })),
  }))
}

const changes = { ...plainChanges, ...oddChanges }
const input = fc.record({
  answer: fc.nat(answers.length - 1),
  change: fc.constantFrom(...Object.keys(changes)),
  nativeLog: fc.constantFrom(null, polygonCoin),
  seed: fc.nat(),
})

test('an answer that is understood reads as by JSON.parse, with any change of it', () => {
  const counts = new Map(Object.keys(changes).map((name) => [name, { all: 0, understood: 0, other: 0 }]))
  const unchanged = answers.map((each) => bothReadings(JSON.stringify(each), answerId, null).byParsing)
  const property = fc.property(input, ({ answer, change, nativeLog, seed }) => {
    const changed = changes[change]?.(answers[answer] as never, createRandom(seed)) ?? ''
    const { scanned, byParsing } = bothReadings(changed, answerId, nativeLog)
    const count = counts.get(change)
    if (!count) throw new Error('a change without a count')
    count.all++
    if (scanned === null) return
    count.understood++
    if ('root' in byParsing && byParsing.root !== (unchanged[answer] as { root?: string }).root) count.other++
    // Jest's own comparison takes most of the time.
    if (!isDeepStrictEqual(scanned, byParsing)) expect(scanned).toEqual(byParsing)
  })
  fc.assert(property, { numRuns: howMany(5000, 200_000) })
  // Otherwise nothing was compared, or always the same. Changes that are seldom understood may miss in the
  // short form.
  for (const name of Object.keys(plainChanges))
    expect([name, (counts.get(name)?.understood ?? 0) > 0]).toEqual([name, true])
  for (const name of ['gas', 'status', 'type', 'receipts', ...(full ? ['value', 'hex'] : [])])
    expect([name, (counts.get(name)?.other ?? 0) > 0]).toEqual([name, true])
}, 1_200_000)

test('receipts of every kind read as by JSON.parse, in blocks of any size', () => {
  const property = fc.property(
    fc.nat(),
    fc.nat(300),
    fc.constantFrom(null, polygonCoin),
    (seed, count, nativeLog) => {
      const { scanned, byParsing } = bothReadings(
        JSON.stringify(receiptsAnswer(madeReceipts(createRandom(seed), count))),
        answerId,
        nativeLog,
      )
      // Jest's own comparison takes most of the time.
      if (!isDeepStrictEqual(scanned, byParsing)) expect(scanned).toEqual(byParsing)
    },
  )
  fc.assert(property, { numRuns: howMany(25, 2000) })
}, 1_200_000)
