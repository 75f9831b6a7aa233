import { expect, test } from '@jest/globals'
import { collectionStates, wordCases } from '../../test/support/collectionWords.ts'
import { nextOfCollection, nextStatuses } from './nextOfCollection.ts'

test.each(wordCases)(
  '$word for a collection that is $before: $status, $alarm',
  ({ word, before, status, alarm }) => {
    expect(nextOfCollection(before, word)).toEqual({ status, alarm })
    expect(nextOfCollection(before, word.toLowerCase())).toEqual({ status, alarm })
    if (status !== before) expect(nextStatuses[before]).toContain(status)
  },
)

test('the table has every state', () => {
  expect([...collectionStates].sort()).toEqual(Object.keys(nextStatuses).sort())
})

test('what is final stays: nothing follows it', () => {
  expect([nextStatuses.completed, nextStatuses.refunded]).toEqual([[], []])
})
