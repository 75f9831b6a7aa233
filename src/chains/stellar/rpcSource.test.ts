import { describe, expect, test } from '@jest/globals'
import { xdr } from '@stellar/stellar-sdk/base'
import {
  addressOf,
  madeHeader,
  madeLedger,
  madePayment,
  madeTransaction,
  network,
} from '../../../test/support/madeLedger.ts'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import type { RawTransaction } from './ledger.ts'
import { rpcSource } from './rpcSource.ts'

type Params = { startLedger?: number; pagination?: { cursor?: string; limit?: number }; hash?: string }
type Answers = Record<string, (params: Params) => unknown>

/** An RPC with the given answers that records its calls. */
function setUp(answers: Answers) {
  const asked: [string, Params][] = []
  const rpc: JsonRpc = {
    name: 'a',
    close: async () => {},
    callMany: () => Promise.reject(new Error('not used')),
    async call(method, params) {
      asked.push([method, params as Params])
      const answer = answers[method]
      if (!answer) throw new RpcError(`a: ${method}`, -32601, 'method not found')
      return answer(params as Params)
    },
  }
  return { source: rpcSource(rpc), asked }
}

const historyXdr = (height: number, transactions: RawTransaction[] = []) => {
  const header = madeHeader(height, transactions)
  const hash = Buffer.from(madeLedger(height, transactions).header.id, 'hex')
  return new xdr.LedgerHeaderHistoryEntry({ hash, header, ext: xdr.LedgerHeaderHistoryEntryExt.v0() }).toXdr(
    'base64',
  )
}
const transactionJson = (height: number, { hash, envelopeXdr, resultXdr, metaXdr }: RawTransaction) => ({
  txHash: hash,
  ledger: height,
  envelopeXdr,
  resultXdr,
  resultMetaXdr: metaXdr ?? undefined,
})
const payments = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    madeTransaction([madePayment(addressOf('shop'), String(index + 1))]),
  )
const outside = (oldest: number, latest: number) => () => {
  // Stellar RPC's own sentence (stellar-rpc, protocol: ledger range).
  throw new RpcError(
    'a: getLedgers',
    -32602,
    `startLedger must be between the oldest ledger: ${oldest} and the latest ledger: ${latest} for this rpc instance.`,
  )
}

describe('a ledger by RPC', () => {
  test('has its header and all of its transactions, and no transaction of the next ledger', async () => {
    const [one, two, next] = payments(3) as [RawTransaction, RawTransaction, RawTransaction]
    const { source, asked } = setUp({
      getLedgers: () => ({ ledgers: [{ sequence: 7, headerXdr: historyXdr(7, [one, two]) }] }),
      getTransactions: () => ({
        transactions: [transactionJson(7, one), transactionJson(7, two), transactionJson(8, next)],
        cursor: '9',
      }),
    })
    expect(await source.ledger(7)).toEqual(madeLedger(7, [one, two]))
    expect(asked.find(([method]) => method === 'getTransactions')?.[1]).toEqual({
      startLedger: 7,
      pagination: { limit: 200 },
    })
  })

  test('of more transactions than one page is read to its end, by the cursor', async () => {
    const all = payments(450)
    const { source, asked } = setUp({
      getLedgers: () => ({ ledgers: [{ sequence: 7, headerXdr: historyXdr(7, all) }] }),
      getTransactions: ({ pagination }) => {
        const from = Number(pagination?.cursor ?? 0)
        return {
          transactions: all.slice(from, from + 200).map((each) => transactionJson(7, each)),
          cursor: String(from + 200),
        }
      },
    })
    expect((await source.ledger(7))?.transactions.map(({ hash }) => hash)).toEqual(
      all.map(({ hash }) => hash),
    )
    const pages = asked.filter(([method]) => method === 'getTransactions').map(([, params]) => params)
    expect(pages.slice(1)).toEqual([
      { pagination: { cursor: '200', limit: 200 } },
      { pagination: { cursor: '400', limit: 200 } },
    ])
  })

  test('ends also if the cursor does not advance', async () => {
    const all = payments(200)
    const { source, asked } = setUp({
      getLedgers: () => ({ ledgers: [{ sequence: 7, headerXdr: historyXdr(7, all) }] }),
      getTransactions: () => ({ transactions: all.map((each) => transactionJson(7, each)), cursor: 'stuck' }),
    })
    await source.ledger(7)
    expect(asked.length).toBeLessThan(5)
  })

  test('without events has no meta', async () => {
    const { metaXdr: _, ...without } = payments(1)[0] as RawTransaction
    const { source } = setUp({
      getLedgers: () => ({ ledgers: [{ sequence: 7, headerXdr: historyXdr(7) }] }),
      getTransactions: () => ({ transactions: [transactionJson(7, { ...without, metaXdr: null })] }),
    })
    expect((await source.ledger(7))?.transactions).toMatchObject([{ metaXdr: null }])
  })

  test('is null before it closes; a ledger that is no longer kept is this provider’s failure', async () => {
    const { source } = setUp({ getLedgers: outside(5, 9), getTransactions: outside(5, 9) })
    expect([await source.ledger(10), await source.header(10)]).toEqual([null, null])
    await expect(source.ledger(4)).rejects.toThrow(/no longer keeps ledger 4/)
    await expect(source.header(4)).rejects.toThrow(ProviderError)
  })

  test.each([
    ['no ledger', { ledgers: [] }],
    ['another ledger', { ledgers: [{ sequence: 8, headerXdr: historyXdr(8) }] }],
    ['the header of another ledger', { ledgers: [{ sequence: 7, headerXdr: historyXdr(8) }] }],
    ['bytes that are no header', { ledgers: [{ sequence: 7, headerXdr: 'AAAA' }] }],
    ['an invalid list', { ledgers: 'none' }],
  ])('is refused if the RPC returns %s', async (_what, answer) => {
    await expect(setUp({ getLedgers: () => answer }).source.header(7)).rejects.toThrow(ProviderError)
  })

  test('is also read from a header alone, which some versions return', async () => {
    const { source } = setUp({
      getLedgers: () => ({ ledgers: [{ sequence: 7, headerXdr: madeHeader(7).toXdr('base64') }] }),
    })
    expect(await source.header(7)).toEqual(madeLedger(7).header)
  })
})

describe('the newest ledger by RPC', () => {
  test('comes with its header, or the header is requested', async () => {
    const withHeader = setUp({ getLatestLedger: () => ({ sequence: 7, headerXdr: historyXdr(7) }) })
    const without = setUp({
      getLatestLedger: () => ({ sequence: 7 }),
      getLedgers: () => ({ ledgers: [{ sequence: 7, headerXdr: historyXdr(7) }] }),
    })
    for (const { source } of [withHeader, without])
      expect(await source.newest()).toEqual(madeLedger(7).header)
    expect(withHeader.asked).toHaveLength(1)
  })

  test('that the RPC does not have is a failure', async () => {
    const { source } = setUp({ getLatestLedger: () => ({ sequence: 7 }), getLedgers: outside(1, 6) })
    await expect(source.newest()).rejects.toThrow(ProviderError)
  })
})

test('a transaction by RPC has its ledger; an unknown one is null', async () => {
  const [one] = payments(1) as [RawTransaction]
  const { source } = setUp({
    getTransaction: ({ hash }) =>
      hash === one.hash
        ? { status: 'SUCCESS', ...transactionJson(7, one) }
        : { status: 'NOT_FOUND', latestLedger: 9 },
  })
  expect(await source.transaction(one.hash)).toEqual({ height: 7, transaction: one })
  expect(await source.transaction('ab'.repeat(32))).toBeNull()
})

test('an RPC reports its network', async () => {
  expect(await setUp({ getNetwork: () => ({ passphrase: network }) }).source.network()).toBe(network)
  expect(await setUp({ getNetwork: () => ({}) }).source.network()).toBe('')
})
