import { describe, expect, test } from '@jest/globals'
import { Operation } from '@stellar/stellar-sdk/base'
import {
  addressOf,
  madeHeader,
  madeLedger,
  madePayment,
  madeTransaction,
  network,
  usdcAsset,
  usdcCode,
} from '../../../test/support/madeLedger.ts'
import { ProviderError } from '../chain.ts'
import { type Rest, RestError } from '../providers/rest.ts'
import { muxed } from './address.ts'
import { horizonSource } from './horizonSource.ts'
import type { RawTransaction } from './ledger.ts'
import { transfersOf } from './movements.ts'

const shop = addressOf('shop')

/** A Horizon with answers by path; other paths are not found. */
function setUp(answers: Record<string, (query: URLSearchParams) => unknown>) {
  const asked: string[] = []
  const rest: Rest = {
    name: 'h',
    close: async () => {},
    post: () => Promise.reject(new Error('not used')),
    async get(path) {
      asked.push(path)
      const [about = '', query = ''] = path.split('?')
      const answer = answers[about]
      if (!answer) throw new RestError(`h: ${about}`, 404, 'not found')
      return answer(new URLSearchParams(query))
    },
  }
  return { source: horizonSource(rest), asked }
}

const page = (records: readonly object[]) => ({ _embedded: { records } })
const headerXdr = (height: number, transactions: RawTransaction[] = []) =>
  madeHeader(height, transactions).toXdr('base64')
const transactionJson = ({ hash, envelopeXdr, resultXdr, metaXdr }: RawTransaction, index = 0) => ({
  hash,
  ledger: 7,
  envelope_xdr: envelopeXdr,
  result_xdr: resultXdr,
  result_meta_xdr: metaXdr,
  paging_token: String(index),
})
/** SEP-35: ledger, transaction and operation in one number, the last two counted from one. */
const operationId = (ledger: number, transaction: number, operation: number) =>
  ((BigInt(ledger) << 32n) | (BigInt(transaction) << 12n) | BigInt(operation)).toString()
const effect = (id: string, more: object) => ({
  id: `${id}-1`,
  paging_token: `${id}-1`,
  type: 'account_credited',
  account: shop,
  ...more,
})
const inUsdc = { asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: usdcAsset.getIssuer() }
const claim = {
  operation: Operation.claimClaimableBalance({ balanceId: `00000000${'ab'.repeat(32)}`, source: shop }),
}

describe('a ledger by Horizon', () => {
  test('has its header and all of its transactions, failed ones included', async () => {
    const all = [
      madeTransaction([madePayment(shop, '1')]),
      madeTransaction([madePayment(shop, '2')], { failed: true }),
    ]
    const { source, asked } = setUp({
      '/ledgers/7': () => ({ header_xdr: headerXdr(7, all) }),
      '/ledgers/7/transactions': () => page(all.map(transactionJson)),
    })
    expect(await source.ledger(7)).toEqual(madeLedger(7, all))
    expect(asked).toEqual(['/ledgers/7', '/ledgers/7/transactions?order=asc&limit=200&include_failed=true'])
  })

  test('of more transactions than one page is read to its end', async () => {
    const all = Array.from({ length: 401 }, (_, index) =>
      madeTransaction([madePayment(shop, String(index + 1))]),
    )
    const { source } = setUp({
      '/ledgers/7': () => ({ header_xdr: headerXdr(7, all) }),
      '/ledgers/7/transactions': (query) => {
        const from = query.has('cursor') ? Number(query.get('cursor')) + 1 : 0
        return page(all.map(transactionJson).slice(from, from + Number(query.get('limit'))))
      },
    })
    expect((await source.ledger(7))?.transactions.map(({ hash }) => hash)).toEqual(
      all.map(({ hash }) => hash),
    )
  })

  test('that does not exist is null; any other refusal is a failure', async () => {
    expect(await setUp({}).source.ledger(7)).toBeNull()
    const broken = setUp({
      '/ledgers/7': () => {
        throw new RestError('h: ledgers', 503, 'down')
      },
    })
    await expect(broken.source.ledger(7)).rejects.toThrow(ProviderError)
  })

  test.each([
    ['another ledger', () => ({ header_xdr: headerXdr(8) })],
    ['bytes that are no header', () => ({ header_xdr: 'AAAA' })],
    ['no header', () => ({})],
  ])('is refused if Horizon returns %s', async (_what, answer) => {
    await expect(setUp({ '/ledgers/7': answer }).source.header(7)).rejects.toThrow(ProviderError)
  })

  test('without a list of transactions is refused, not read as empty', async () => {
    const { source } = setUp({
      '/ledgers/7': () => ({ header_xdr: headerXdr(7) }),
      '/ledgers/7/transactions': () => ({}),
    })
    await expect(source.ledger(7)).rejects.toThrow(ProviderError)
  })
})

describe('without meta', () => {
  const [first, second] = [
    madeTransaction([madePayment(shop, '1')], { meta: 'none' }),
    madeTransaction([madePayment(shop, '2'), claim], { meta: 'none' }),
  ]
  const all = [first, second]
  const withEffects = (effects: object[]) =>
    setUp({
      '/ledgers/7': () => ({ header_xdr: headerXdr(7, all) }),
      '/ledgers/7/transactions': () => page(all.map((each, index) => transactionJson(each, index))),
      '/ledgers/7/effects': () => page(effects),
      '/ledgers/7/operations': () => page([]),
      [`/transactions/${second.hash}`]: () => transactionJson(second),
      [`/transactions/${second.hash}/effects`]: () => page(effects),
      [`/transactions/${second.hash}/operations`]: () => page([]),
    }).source
  const credits = async (effects: object[]) =>
    (await withEffects(effects).ledger(7))?.transactions.flatMap((each) =>
      transfersOf(each, network).transfers.map(({ movementKey, amount }) => [movementKey, amount]),
    )
  const itself = [
    [`op:0:${shop}:${usdcCode}`, 10_000_000n],
    [`op:0:${shop}:${usdcCode}`, 20_000_000n],
  ]

  test('a claim is read from the effects of its own operation', async () => {
    const effects = [
      effect(operationId(7, 1, 1), { ...inUsdc, amount: '1.0000000' }),
      effect(operationId(7, 2, 2), { ...inUsdc, amount: '3.5000001' }),
    ]
    expect(await credits(effects)).toEqual([...itself, [`op:1:${shop}:${usdcCode}`, 35_000_001n]])
  })

  test('effects of other transactions and operations are ignored', async () => {
    const elsewhere = [operationId(7, 1, 2), operationId(7, 2, 1), operationId(7, 3, 2)]
    expect(await credits(elsewhere.map((id) => effect(id, { ...inUsdc, amount: '9.0000000' })))).toEqual(
      itself,
    )
  })

  test('a contract call is read from its operation: muxed addresses, assets, and contracts as receivers', async () => {
    const contract = usdcAsset.contractId(network)
    const called = madeTransaction(
      [{ operation: Operation.invokeContractFunction({ contract, function: 'transfer', args: [] }) }],
      { meta: 'none' },
    )
    const id = operationId(7, 1, 1)
    const changes = [
      {
        asset_type: 'native',
        type: 'transfer',
        from: contract,
        to: shop,
        amount: '0.0000007',
        destination_muxed_id: '5',
        destination_muxed_id_type: 'uint64',
      },
      { ...inUsdc, type: 'mint', to: contract, amount: '2.0000000' },
      { ...inUsdc, type: 'burn', from: shop, amount: '4.0000000' },
    ]
    const answers = {
      [`/transactions/${called.hash}`]: () => transactionJson(called),
      // Effects of the same call have no ids: do not count them as well.
      [`/transactions/${called.hash}/effects`]: () =>
        page([effect(id, { asset_type: 'native', amount: '0.0000007' })]),
      [`/transactions/${called.hash}/operations`]: () =>
        page([{ id, paging_token: id, asset_balance_changes: changes }]),
    }
    const found = await setUp(answers).source.transaction(called.hash)
    expect(
      found &&
        transfersOf(found.transaction, network).transfers.map(({ movementKey, amount, only }) => [
          movementKey,
          amount,
          only,
        ]),
    ).toEqual([
      [`op:0:${muxed(shop, 5n)}:native`, 7n, 'in'],
      [`op:0:${contract}:${usdcCode}`, 20_000_000n, 'in'],
      [`op:0:${contract}:native:out`, 7n, 'out'],
      [`op:0:${shop}:${usdcCode}:out`, 40_000_000n, 'out'],
    ])
  })

  test('pool deposits and withdrawals are read from their operations', async () => {
    const [put, got] = [
      Operation.liquidityPoolDeposit({
        liquidityPoolId: 'ab'.repeat(32),
        maxAmountA: '5',
        maxAmountB: '5',
        minPrice: '1',
        maxPrice: '1',
      }),
      Operation.liquidityPoolWithdraw({
        liquidityPoolId: 'ab'.repeat(32),
        amount: '5',
        minAmountA: '0',
        minAmountB: '0',
      }),
    ]
    const pooled = madeTransaction([{ operation: put }, { operation: got }], { meta: 'none' })
    const payer = addressOf('payer')
    const about = (index: number, more: object) => {
      const id = operationId(7, 1, index)
      return { id, paging_token: id, source_account: payer, liquidity_pool_id: 'ab'.repeat(32), ...more }
    }
    const answers = {
      [`/transactions/${pooled.hash}`]: () => transactionJson(pooled),
      [`/transactions/${pooled.hash}/effects`]: () => page([]),
      [`/transactions/${pooled.hash}/operations`]: () =>
        page([
          about(1, { reserves_deposited: [{ asset: 'native', amount: '0.0000003' }] }),
          about(2, { reserves_received: [{ asset: usdcCode, amount: '4.0000000' }] }),
        ]),
    }
    const found = await setUp(answers).source.transaction(pooled.hash)
    expect(
      found &&
        transfersOf(found.transaction, network).transfers.map(({ movementKey, amount }) => [
          movementKey,
          amount,
        ]),
    ).toEqual([
      [`op:0:${payer}:native:out`, 3n],
      [`op:1:${payer}:${usdcCode}`, 40_000_000n],
    ])
  })

  test('a single transaction has its own effects', async () => {
    const found = await withEffects([
      effect(operationId(7, 2, 2), { ...inUsdc, amount: '3.5000001' }),
    ]).transaction(second.hash)
    expect(found?.height).toBe(7)
    expect(found && transfersOf(found.transaction, network).transfers.map(({ amount }) => amount)).toEqual([
      20_000_000n,
      35_000_001n,
    ])
  })
})

test('the newest ledger by Horizon is the first of the descending list', async () => {
  const { source, asked } = setUp({
    '/ledgers': () => page([{ sequence: 7, header_xdr: headerXdr(7), paging_token: '' }]),
  })
  expect(await source.newest()).toEqual(madeLedger(7).header)
  expect(asked).toEqual(['/ledgers?order=desc&limit=1'])
  await expect(setUp({ '/ledgers': () => page([]) }).source.newest()).rejects.toThrow(ProviderError)
})

test('a transaction that Horizon does not know is null', async () => {
  expect(await setUp({}).source.transaction('ab'.repeat(32))).toBeNull()
})

test('Horizon reports its network', async () => {
  expect(await setUp({ '/': () => ({ network_passphrase: network }) }).source.network()).toBe(network)
  expect(await setUp({ '/': () => ({}) }).source.network()).toBe('')
})
