import { describe, expect, test } from '@jest/globals'
import { extractBaseAddress } from '@stellar/stellar-sdk/base'
import { countArrivals, countByLedger, countNet, linesOf } from './stellar/countStellar.ts'
import { type MadeKind, madeAmounts, madeTransaction } from './stellar/made.ts'
import { rawOperations, recordedTransactions } from './stellar/rawStellar.ts'

// The count that the reader of Stellar is measured by is itself measured here: what operations and results say has to be what the ledger's
// entries changed by, in what was recorded and in what is made up of the kinds that were not.

describe('of recorded transactions', () => {
  test('operations and results tell what the ledger changed by', () => {
    const operations = recordedTransactions().flatMap((each) => rawOperations(each))
    const byLedger = operations.flatMap(countByLedger)
    expect(byLedger.length).toBeGreaterThan(0)
    expect(linesOf(operations.flatMap(countNet))).toEqual(linesOf(byLedger))
  })

  test('what was taken in trades is counted on top of what operations were for', () => {
    const operations = recordedTransactions().flatMap((each) => rawOperations(each))
    const all = operations.flatMap((each) => countArrivals(each, { trades: true }))
    const without = operations.flatMap((each) => countArrivals(each, { trades: false }))
    expect(all.length).toBeGreaterThan(without.length)
    expect(without.length).toBeGreaterThan(0)
  })
})

describe('of what was not recorded', () => {
  test.each(Object.keys(madeAmounts) as MadeKind[])('%s brings what the ledger changed by', (kind) => {
    const [operation, ...more] = rawOperations(madeTransaction(kind))
    if (!operation) throw new Error('a transaction without an operation')
    expect(more).toEqual([])
    const arrivals = countArrivals(operation, { trades: true })
    expect(arrivals.map(({ asset, amount }) => ({ asset, amount }))).toEqual([{ asset: null, amount: madeAmounts[kind] }])
    const accounts = arrivals.map((each) => ({ ...each, to: each.to.startsWith('M') ? extractBaseAddress(each.to) : each.to }))
    expect(accounts).toEqual(countByLedger(operation))
  })
})
