import { describe, expect, test } from '@jest/globals'
import { extractBaseAddress } from '@stellar/stellar-sdk/base'
import { countArrivals, countByLedger, countNet, linesOf } from './stellar/countStellar.ts'
import { type MadeKind, madeAmounts, madeTransaction } from './stellar/made.ts'
import { rawOperations, recordedTransactions } from './stellar/rawStellar.ts'

// Checks the count that Stellar's reader is compared with: operations and results must match the changes of
// ledger entries, in recordings and in made-up transactions of the kinds that were not recorded.

describe('recorded transactions', () => {
  test("operations and results match the ledger's changes", () => {
    const operations = recordedTransactions().flatMap((each) => rawOperations(each))
    const byLedger = operations.flatMap(countByLedger)
    expect(byLedger.length).toBeGreaterThan(0)
    expect(linesOf(operations.flatMap(countNet))).toEqual(linesOf(byLedger))
  })

  test("amounts taken in trades are counted in addition to the operations' own", () => {
    const operations = recordedTransactions().flatMap((each) => rawOperations(each))
    const all = operations.flatMap((each) => countArrivals(each, { trades: true }))
    const without = operations.flatMap((each) => countArrivals(each, { trades: false }))
    expect(all.length).toBeGreaterThan(without.length)
    expect(without.length).toBeGreaterThan(0)
  })
})

describe('kinds that were not recorded', () => {
  test.each(Object.keys(madeAmounts) as MadeKind[])("%s matches the ledger's changes", (kind) => {
    const [operation, ...more] = rawOperations(madeTransaction(kind))
    if (!operation) throw new Error('a transaction without an operation')
    expect(more).toEqual([])
    const arrivals = countArrivals(operation, { trades: true })
    expect(arrivals.map(({ asset, amount }) => ({ asset, amount }))).toEqual([
      { asset: null, amount: madeAmounts[kind] },
    ])
    const accounts = arrivals.map((each) => ({
      ...each,
      to: each.to.startsWith('M') ? extractBaseAddress(each.to) : each.to,
    }))
    expect(accounts).toEqual(countByLedger(operation))
  })
})
