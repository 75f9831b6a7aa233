import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { extractBaseAddress, Memo, xdr } from '@stellar/stellar-sdk/base'
import type { BlockReader, Transfer } from '../../src/chains/chain.ts'
import {
  ledgersAround,
  recordedHeaders,
  recordedTransactions,
  type StellarLedger,
  startRecordedStellar,
  withMemo,
  withoutEvents,
  withoutMeta,
} from '../support/recordedStellar.ts'
import {
  type Arrival,
  countArrivals,
  countByLedger,
  countLost,
  countNet,
  linesOf,
} from './counting/stellar/countStellar.ts'
import { type MadeKind, madeAmounts, madeTransaction } from './counting/stellar/made.ts'
import { type RawOperation, rawOperations } from './counting/stellar/rawStellar.ts'
import { openReader } from './openReader.ts'
import { print } from './readRecorded.ts'

// Our reader uses operations and results, and CAP-67's events where only those are available. The count uses
// operations and results only, and must match the changes of ledger entries. Transactions were recorded, but
// not whole ledgers: the test puts them into ledgers of its own, whose headers commit to them.

const inEachLedger = 10

/** Excludes pools and claimable balances. */
const isAccount = ({ to }: Arrival) => /^[GMC]/.test(to)

const arrivalOf = ({ txId, movementKey, to, contract, amount }: Transfer): Arrival => ({
  txId,
  operation: Number(movementKey.split(':')[1]),
  to,
  asset: contract,
  amount,
})

const arrivalsIn = (transfers: readonly Transfer[]): Arrival[] =>
  transfers.filter(({ only }) => only !== 'out').map(arrivalOf)
/**
 * Each operation's outgoing amounts: for a transfer with several recipients, the sum. Issuers get back their
 * own asset, and lose nothing.
 */
function lossesIn(transfers: readonly Transfer[]): Arrival[] {
  const lost = new Map<string, Arrival>()
  for (const transfer of transfers.filter(
    ({ only, from, contract }) => only !== 'in' && !contract?.endsWith(`:${from}`),
  )) {
    const loss = { ...arrivalOf(transfer), to: transfer.from }
    const key = [loss.txId, loss.operation, loss.to, loss.asset].join(' ')
    lost.set(key, { ...loss, amount: loss.amount + (lost.get(key)?.amount ?? 0n) })
  }
  return [...lost.values()]
}

async function withReader<T>(
  ledgers: readonly StellarLedger[],
  use: (reader: BlockReader) => Promise<T>,
): Promise<T> {
  const node = await startRecordedStellar(ledgers)
  const { reader, close } = await openReader('stellar', node.url)
  try {
    return await use(reader)
  } finally {
    await close()
    await node.close()
  }
}

const sameOf = ({ txId, movementKey, contract, from, to, amount, only }: Transfer) =>
  [txId, movementKey, contract, from, to, amount, only].join(' ')

/** Read one by one and as a range: both are the same on this chain. */
const readAll = (ledgers: readonly StellarLedger[]): Promise<Transfer[]> =>
  withReader(ledgers, async (reader) => {
    const heights = ledgers.map(({ header }) => header.ledgerSeq)
    const blocks = await Promise.all(heights.map((height) => reader.block(height)))
    expect(blocks.map((block) => block?.id)).toEqual(ledgers.map(({ hash }) => hash))
    const transfers = blocks.flatMap((block) => block?.transfers ?? [])
    const again = await reader.blocks(Math.min(...heights), Math.max(...heights))
    expect(linesOf(again.flatMap((block) => block.transfers).map(arrivalOf))).toEqual(
      linesOf(transfers.map(arrivalOf)),
    )
    expect(new Set(transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`)).size).toBe(
      transfers.length,
    )
    return transfers
  })

/** Without ids, which ledger entries do not have. */
const toAccount = (arrival: Arrival): Arrival => ({
  ...arrival,
  to: arrival.to.startsWith('M') ? extractBaseAddress(arrival.to) : arrival.to,
})

describe('every transfer of recorded transactions is found, as in the count without events', () => {
  let operations: RawOperation[] = []
  const rows: string[][] = [['stellar', 'operations', 'tokens', 'native']]
  const report = (name: string, arrivals: readonly Arrival[]) => {
    const tokens = arrivals.filter(({ asset }) => asset !== null).length
    rows.push([name, `${operations.length}`, `${tokens}`, `${arrivals.length - tokens}`])
    expect(Math.min(tokens, arrivals.length - tokens)).toBeGreaterThan(0)
  }

  beforeAll(() => {
    operations = recordedTransactions().flatMap((each) => rawOperations(each))
  })
  afterAll(() => {
    const kinds = Map.groupBy(operations, ({ operation }) => operation.type)
    print(rows)
    print([[[...kinds].map(([kind, all]) => `${all.length} ${kind}`).join(', ')]])
  })

  test('from a node with events', async () => {
    const counted = operations.flatMap(countNet).filter(isAccount)
    const found = arrivalsIn(await readAll(ledgersAround(recordedTransactions(), inEachLedger)))
    expect(linesOf(found.map(toAccount))).toEqual(linesOf(counted))
    report('counted by operations and results', counted)
    report('found with events', found)
  })

  test('losses match too', async () => {
    const counted = operations.flatMap(countLost).filter(isAccount)
    const found = lossesIn(await readAll(ledgersAround(recordedTransactions(), inEachLedger)))
    expect(linesOf(found)).toEqual(linesOf(counted))
    report('counted as lost by operations and results', counted)
  })

  test.each([
    ['no events', withoutEvents],
    ['no meta', withoutMeta],
  ])('the same from a node with %s, trades included: results have them', async (what, without) => {
    const transfers = await readAll(ledgersAround(recordedTransactions().map(without), inEachLedger))
    const found = arrivalsIn(transfers)
    expect(linesOf(found.map(toAccount))).toEqual(linesOf(operations.flatMap(countNet).filter(isAccount)))
    expect(linesOf(lossesIn(transfers))).toEqual(linesOf(operations.flatMap(countLost).filter(isAccount)))
    report(`found with ${what}`, found)
  })

  test('each transfer is the same with and without events', async () => {
    const read = async (recorded: StellarLedger['transactions']) =>
      (await readAll(ledgersAround(recorded, inEachLedger))).map(sameOf).toSorted()
    const byEvents = await read(recordedTransactions())
    expect(await read(recordedTransactions().map(withoutEvents))).toEqual(byEvents)
    expect(await read(recordedTransactions().map(withoutMeta))).toEqual(byEvents)
  })

  test.each(Object.keys(madeAmounts) as MadeKind[])('a kind that was not recorded: %s', async (kind) => {
    const made = madeTransaction(kind)
    const found = arrivalsIn(await readAll(ledgersAround([made], inEachLedger)))
    expect(linesOf(found)).toEqual(
      linesOf(rawOperations(made).flatMap((each) => countArrivals(each, { trades: true }))),
    )
    expect(found.map(({ amount }) => amount)).toEqual([madeAmounts[kind]])
  })

  test("the count matches the ledger's changes, operation by operation", () => {
    const changed = operations.flatMap(countByLedger)
    expect(linesOf(operations.flatMap(countNet))).toEqual(linesOf(changed))
    report("grown by the ledger's entries", changed)
  })

  test('each gain of an operation is found, with at least that amount', async () => {
    const found = arrivalsIn(await readAll(ledgersAround(recordedTransactions(), inEachLedger))).map(
      toAccount,
    )
    const keyOf = ({ txId, operation, to, asset }: Arrival) => [txId, operation, to, asset].join(' ')
    const amounts = new Map(found.map((each) => [keyOf(each), each.amount]))
    expect(
      operations
        .flatMap(countByLedger)
        .filter(isAccount)
        .filter((grown) => (amounts.get(keyOf(grown)) ?? 0n) < grown.amount),
    ).toEqual([])
  })

  test('the payer of a path payment is credited no more than its gain', async () => {
    const found = arrivalsIn(await readAll(ledgersAround(recordedTransactions(), inEachLedger))).map(
      toAccount,
    )
    const onPath = new Set(
      operations
        .filter(({ operation }) => operation.type.startsWith('pathPayment'))
        .map(({ txId, index }) => `${txId} ${index}`),
    )
    const isOnPath = ({ txId, operation }: Arrival) => onPath.has(`${txId} ${operation}`)
    expect(onPath.size).toBeGreaterThan(0)
    expect(linesOf(found.filter(isOnPath))).toEqual(
      linesOf(operations.flatMap(countByLedger).filter(isAccount).filter(isOnPath)),
    )
  })
})

describe("the same transactions with a customer's id as memo", () => {
  const readWithMemo = async (isPath: boolean) => {
    const sent = recordedTransactions().flatMap((each) => withMemo(each, Memo.id('5')) ?? [])
    const chosen = sent.filter(
      (each) =>
        rawOperations(each).some(({ operation }) => /^pathPayment|^manage/.test(operation.type)) === isPath,
    )
    expect(chosen.length).toBeGreaterThan(0)
    const found = arrivalsIn(await readAll(ledgersAround(chosen, inEachLedger)))
    const counted = chosen
      .flatMap((each) => rawOperations(each))
      .flatMap((each) => countArrivals(each, { trades: true }))
    expect(counted.some(({ to }) => to.startsWith('M'))).toBe(true)
    return { found: linesOf(found), counted: linesOf(counted) }
  }

  test('credit their payments to that customer of the account', async () => {
    const { found, counted } = await readWithMemo(false)
    expect(found).toEqual(counted)
  })

  test('credit a path payment to that customer, and trades along the path to the account without an id', async () => {
    const sent = recordedTransactions().flatMap((each) => withMemo(each, Memo.id('5')) ?? [])
    const raw = sent
      .flatMap((each) => rawOperations(each))
      .filter(({ operation }) => /^pathPayment|^manage/.test(operation.type))
    const chosen = sent.filter((each) =>
      rawOperations(each).some(({ operation }) => /^pathPayment|^manage/.test(operation.type)),
    )
    const found = arrivalsIn(await readAll(ledgersAround(chosen, inEachLedger)))
    const keyOf = ({ txId, operation }: Arrival) => `${txId} ${operation}`
    const ours = new Set(raw.map(({ txId, index }) => `${txId} ${index}`))
    const arrivals = found.filter((each) => ours.has(keyOf(each)))
    expect(linesOf(arrivals.map(toAccount))).toEqual(linesOf(raw.flatMap(countNet).filter(isAccount)))
    const paid = new Set(
      raw
        .flatMap((each) => countArrivals(each, { trades: false }))
        .map((each) => `${keyOf(each)} ${each.to} ${each.asset}`),
    )
    const withId = arrivals.filter(({ to }) => to.startsWith('M'))
    expect(withId.length).toBeGreaterThan(0)
    expect(withId.filter((each) => !paid.has(`${keyOf(each)} ${each.to} ${each.asset}`))).toEqual([])
    expect(
      arrivals.filter(
        (each) => !each.to.startsWith('M') && paid.has(`${keyOf(each)} ${each.to} ${each.asset}`),
      ),
    ).toEqual([])
  })
})

describe('headers of the public network', () => {
  test("have their recorded hashes, each its successor's parent", async () => {
    const ledgers = recordedHeaders()
    expect(ledgers).toHaveLength(50)
    await withReader(ledgers, async (reader) => {
      const headers = await Promise.all(ledgers.map(({ header }) => reader.header(header.ledgerSeq)))
      expect(headers.map((header) => header?.id)).toEqual(ledgers.map(({ hash }) => hash))
      expect(headers.slice(1).map((header) => header?.parentId)).toEqual(
        headers.slice(0, -1).map((header) => header?.id),
      )
    })
  })

  test('do not match when a transaction is omitted, reordered or altered', async () => {
    const [ledger] = ledgersAround(recordedTransactions(), inEachLedger)
    if (!ledger) throw new Error('no ledger')
    const [first, second, ...others] = ledger.transactions
    if (!first || !second) throw new Error('too few transactions in the ledger')
    const { feeCharged, ext } = xdr.TransactionResult.fromXDR(first.resultXdr, 'base64')
    const failed = new xdr.TransactionResult({
      feeCharged,
      ext,
      result: xdr.TransactionResultResult.txInternalError(),
    })
    const lies = [
      [second, ...others],
      [second, first, ...others],
      [{ ...first, resultXdr: failed.toXDR('base64') }, second, ...others],
    ]
    for (const transactions of lies) {
      await withReader([{ ...ledger, transactions }], (reader) =>
        expect(reader.block(ledger.header.ledgerSeq)).rejects.toThrow(/do not match its header/),
      )
    }
  })
})
