import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { erc20Abi, parseEventLogs } from 'viem'
import { howMany } from '../../../../test/support/full.ts'
import {
  account,
  blockHash,
  hexOf,
  type MadeBlock,
  type MadeTransaction,
  madeBlock,
  madeNode,
  madeReader,
  sealed,
  tokenTransfer,
  word,
  zeroAddress,
} from '../../../../test/support/madeNode.ts'
import {
  type Recorded,
  type RecordedReceipt,
  recordedBlock,
} from '../../../../test/support/recordedBlocks.ts'
import { type Block, ProviderError, type Transfer } from '../../chain.ts'
import { RpcError } from '../../providers/jsonRpc.ts'
import { sound } from '../../providers/sound.ts'
import type { RpcBlock, RpcLog, RpcReceipt } from '../rpcTypes.ts'
import { type EvmRules, movementsOfReceipts } from './movements.ts'
import { blockOfLogs, blockOfReceipts } from './readBlock.ts'
import { receiptsRoot } from './receiptsRoot.ts'

/**
 * Counted by hand from each block's JSON: token transfers above zero, native transfers that succeeded,
 * withdrawals.
 */
const recorded = [
  ['ethereum/18000000', { tokens: 91, native: 39, withdrawals: 16 }],
  ['ethereum/15753009', { tokens: 133, native: 74, withdrawals: 0 }],
  ['polygon/50000000', { tokens: 42, native: 20, withdrawals: 0 }],
  ['polygon/38102393', { tokens: 50, native: 5, withdrawals: 0 }],
  ['arbitrum/150000000', { tokens: 10, native: 1, withdrawals: 0 }],
] as const

const plainRules: EvmRules = { nativeLog: null, ownReceipts: true }
/** As the reader does it: a malformed answer becomes a ProviderError. */
const readBlock = (block: Recorded['block'], receipts: RecordedReceipt[], rules = plainRules): Block =>
  sound(
    () =>
      blockOfReceipts(rules, 'node', block as unknown as RpcBlock, receipts as unknown as RpcReceipt[]).block,
  )
const readLogs = (block: Recorded['block'], logs: RpcLog[]): Block =>
  sound(() => blockOfLogs(plainRules, 'node', block as unknown as RpcBlock, logs).block)
/** Without the checks of roots and hashes. */
const transfersOf = (block: Recorded['block'], receipts: RecordedReceipt[]) =>
  movementsOfReceipts(plainRules, block as unknown as RpcBlock, receipts as unknown as RpcReceipt[]).transfers
const logsOf = (receipts: readonly RecordedReceipt[]) =>
  receipts.flatMap(({ logs }) => logs) as unknown as RpcLog[]

const sorted = (transfers: Transfer[]) =>
  [...transfers].sort((a, b) => (`${a.txId} ${a.movementKey}` < `${b.txId} ${b.movementKey}` ? -1 : 1))

/** Token transfers as viem decodes them. */
const decoded = ({ receipts }: Recorded): Transfer[] =>
  parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs: receipts.flatMap((receipt) => receipt.logs) })
    .filter((log) => log.args.value > 0n)
    .map((log) => ({
      txId: log.transactionHash as string,
      movementKey: `log:${log.logIndex}`,
      contract: log.address.toLowerCase(),
      from: log.args.from.toLowerCase(),
      to: log.args.to.toLowerCase(),
      amount: log.args.value,
    }))

/** Native value of the transactions that succeeded. */
const nativeOf = ({ block, receipts }: Recorded): Transfer[] => {
  const status = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  return block.transactions.flatMap((transaction) => {
    const receipt = status.get(transaction.hash)
    if (BigInt(transaction.value) === 0n || receipt?.status !== '0x1') return []
    const to = transaction.to ?? receipt.contractAddress ?? ''
    return [
      {
        txId: transaction.hash,
        movementKey: 'native',
        contract: null,
        from: transaction.from,
        to,
        amount: BigInt(transaction.value),
      },
    ]
  })
}

/** Keyed by the index of the withdrawal, which is unique on the chain. */
const withdrawnIn = ({ block }: Recorded): Transfer[] =>
  ((block as { withdrawals?: { index: string; address: string; amount: string }[] }).withdrawals ?? []).map(
    ({ index, address, amount }) => ({
      txId: block.hash,
      movementKey: `withdrawal:${Number(index)}`,
      contract: null,
      from: zeroAddress,
      to: address,
      amount: BigInt(amount) * 1_000_000_000n,
      only: 'in',
    }),
  )

describe('a recorded block', () => {
  test.each(recorded)(
    '%s: has the transfers that viem decodes, the native ones and the withdrawals: %o',
    (name, counts) => {
      const { block, receipts } = recordedBlock(name)
      const { transfers, ...header } = readBlock(block, receipts)
      const tokens = transfers.filter((transfer) => transfer.contract !== null)
      const withdrawals = transfers.filter(({ movementKey }) => movementKey.startsWith('withdrawal:'))
      expect(sorted(transfers)).toEqual(
        sorted([
          ...decoded({ block, receipts }),
          ...nativeOf({ block, receipts }),
          ...withdrawnIn({ block, receipts }),
        ]),
      )
      const native = transfers.length - tokens.length - withdrawals.length
      expect({ tokens: tokens.length, native, withdrawals: withdrawals.length }).toEqual(counts)
      expect(header).toEqual({
        source: 'node',
        traced: false,
        height: Number(name.split('/')[1]),
        id: block.hash,
        parentId: block.parentHash,
        time: new Date(Number.parseInt(block.timestamp, 16) * 1000),
      })
      // No key occurs twice.
      expect(new Set(transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`)).size).toBe(
        transfers.length,
      )
    },
  )

  test('leaves out zero transfers, NFTs and failed transactions', () => {
    const { block, receipts } = recordedBlock('ethereum/18000000')
    const logs = receipts.flatMap((receipt) => receipt.logs)
    const transferLogs = logs.filter((log) => log.topics[0]?.startsWith('0xddf252ad'))
    expect(transferLogs.filter((log) => log.topics.length === 4)).toHaveLength(2)
    expect(transferLogs.filter((log) => log.topics.length === 3 && BigInt(log.data) === 0n)).toHaveLength(50)
    expect(block.transactions.filter((transaction) => BigInt(transaction.value) > 0n)).toHaveLength(40)
    expect(receipts.filter((receipt) => receipt.status === '0x0').length).toBeGreaterThan(0)
    expect(readBlock(block, receipts).transfers.every(({ amount }) => amount > 0n)).toBe(true)
  })
})

describe('a transfer', () => {
  const { block, receipts } = recordedBlock('ethereum/18000000')

  test('of the value in a contract creation goes to the new contract', () => {
    const at = receipts.findIndex((receipt) => receipt.contractAddress !== null)
    const transactions = block.transactions.map((transaction, i) =>
      i === at ? { ...transaction, value: '0x5' as const } : transaction,
    )
    const txId = receipts[at]?.transactionHash
    expect(transactions[at]?.to).toBeNull()
    expect(
      transfersOf({ ...block, transactions }, receipts).filter(
        (transfer) => transfer.txId === txId && transfer.movementKey === 'native',
      ),
    ).toEqual([
      {
        txId,
        movementKey: 'native',
        contract: null,
        from: transactions[at]?.from,
        to: receipts[at]?.contractAddress,
        amount: 5n,
      },
    ])
  })

  test.each([
    ['a fourth topic, like an NFT', { topics: 1, data: '' }],
    ['two words of data', { topics: 0, data: '0'.repeat(64) }],
    ['less than a word of data', { topics: 0, data: -2 }],
    ['no receiver among its topics', { topics: -1, data: '' }],
  ])('is not read from a log with %s', (_what, { topics, data }) => {
    const at = receipts.findIndex(
      ({ logs }) =>
        logs[0]?.topics.length === 3 &&
        logs[0].topics[0]?.startsWith('0xddf252ad') &&
        BigInt(logs[0].data) > 0n,
    )
    const [log, ...others] = receipts[at]?.logs ?? []
    if (!log) throw new Error('no such log')
    const key = `log:${Number(log.logIndex)}`
    expect(transfersOf(block, receipts).some(({ movementKey }) => movementKey === key)).toBe(true)
    const changed = {
      ...log,
      topics: (topics < 0
        ? log.topics.slice(0, topics)
        : [...log.topics, ...log.topics.slice(0, topics)]) as typeof log.topics,
      data: (typeof data === 'number' ? log.data.slice(0, data) : log.data + data) as typeof log.data,
    }
    const transfers = transfersOf(block, withReceipt(receipts, at, { logs: [changed, ...others] }))
    expect(transfers.some(({ movementKey }) => movementKey === key)).toBe(false)
  })
})

/** The changes that were accepted, or failed with an error other than a ProviderError. */
function unrefused(block: Recorded['block'], changes: Iterable<[what: string, receipts: unknown]>): string[] {
  const wrong: string[] = []
  for (const [what, receipts] of changes) {
    try {
      readBlock(block, receipts as RecordedReceipt[])
      wrong.push(`${what} was accepted`)
    } catch (error) {
      if (!(error instanceof ProviderError)) wrong.push(`${what}: ${error}`)
    }
  }
  return wrong
}

/** The same receipts with one of them changed. */
const withReceipt = (receipts: RecordedReceipt[], at: number, change: Partial<RecordedReceipt>) =>
  receipts.map((receipt, i) => (i === at ? { ...receipt, ...change } : receipt))

describe('an incomplete or changed answer', () => {
  const { block, receipts } = recordedBlock('ethereum/18000000')
  const emptyBloom: `0x${string}` = `0x${'0'.repeat(512)}`

  function* withoutOneLog(of: RecordedReceipt[]): Iterable<[string, RecordedReceipt[]]> {
    for (const [i, receipt] of of.entries())
      for (const [j, log] of receipt.logs.entries())
        yield [
          `receipt ${i} without log ${log.logIndex}`,
          withReceipt(of, i, { logs: receipt.logs.filter((_, k) => k !== j) }),
        ]
  }

  test('is refused without any one of its 291 logs', () => {
    const changes = [...withoutOneLog(receipts)]
    expect(changes).toHaveLength(291)
    expect(unrefused(block, changes)).toEqual([])
  })

  test.each([
    ['polygon/50000000', 877],
    ['polygon/38102393', 555],
  ])('is refused without any one log of %s (%i logs)', (name, count) => {
    const other = recordedBlock(name)
    const changes = [...withoutOneLog(other.receipts)]
    expect(changes).toHaveLength(count)
    expect(unrefused(other.block, changes)).toEqual([])
  })

  // Earlier logs have the address and topics of the last one: without it the bloom stays the same. Only the
  // receipts root differs.
  test('is refused without any one of the 400 logs of another block', () => {
    const other = recordedBlock('ethereum/15753009')
    const changes = [...withoutOneLog(other.receipts)]
    expect(changes).toHaveLength(400)
    expect(unrefused(other.block, changes)).toEqual([])
  })

  test('is refused when any field of a log or a receipt that the chain commits to is changed', () => {
    const at = receipts.findIndex(({ logs }) => logs[0]?.topics.length === 3)
    const [log, ...others] = receipts[at]?.logs ?? []
    if (!log) throw new Error('no such log')
    const withLog = (change: object) =>
      withReceipt(receipts, at, { logs: [{ ...log, ...change }, ...others] })
    expect(
      unrefused(block, [
        [
          'another amount',
          withLog({ data: `${log.data.slice(0, -1)}${log.data.endsWith('1') ? '2' : '1'}` }),
        ],
        [
          'another receiver',
          withLog({ topics: [...log.topics.slice(0, 2), `0x${'00'.repeat(12)}${'ab'.repeat(20)}`] }),
        ],
        ['another token', withLog({ address: `0x${'ab'.repeat(20)}` })],
        ['another transaction', withLog({ transactionHash: `0x${'ab'.repeat(32)}` })],
        ['another status', withReceipt(receipts, at, { status: '0x0' })],
        ['one log more', withReceipt(receipts, at, { logs: [log, ...others, log] })],
      ]),
    ).toEqual([])
  })

  test('in another case or with other padding, which the root does not cover, is read the same or refused', () => {
    const { transfers } = readBlock(block, receipts)
    const upper = (text: string) => `0x${text.slice(2).toUpperCase()}` as const
    const rewritten = receipts.map((receipt) => ({
      ...receipt,
      status: receipt.status.replace('0x', '0x0') as `0x${string}`,
      logs: receipt.logs.map((log) => ({
        ...log,
        address: upper(log.address),
        topics: log.topics.map(upper) as typeof log.topics,
      })),
    }))
    expect(readBlock(block, rewritten).transfers).toEqual(transfers)
    const shorter = (receipt: RecordedReceipt) =>
      receipt.logs.map((log) => ({ ...log, data: log.data.replace('0x0', '0x') as typeof log.data }))
    expect(
      unrefused(block, [
        [
          'amounts without their first zero',
          receipts.map((receipt) => ({ ...receipt, logs: shorter(receipt) })),
        ],
      ]),
    ).toEqual([])
    const nearer = (log: RecordedReceipt['logs'][number]) =>
      log.topics.map((topic) => topic.replace('0x0', '0x')) as typeof log.topics
    expect(
      unrefused(block, [
        [
          'receivers without their first zero',
          receipts.map((each) => ({
            ...each,
            logs: each.logs.map((log) => ({ ...log, topics: nearer(log) })),
          })),
        ],
      ]),
    ).toEqual([])
  })

  test('of logs alone is refused without any one log, and with a log of another fork or index', () => {
    const logs = logsOf(receipts)
    expect(readLogs(block, logs).transfers).toHaveLength(147)
    const missed = logs.filter((_, left) => {
      try {
        readLogs(
          block,
          logs.filter((__, i) => i !== left),
        )
        return true
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        return false
      }
    })
    expect(missed).toEqual([])
    const last = logs.at(-1)
    if (!last) throw new Error('there are logs')
    const changed = (change: Partial<RpcLog>) => () =>
      readLogs(block, [...logs.slice(0, -1), { ...last, ...change }])
    expect(changed({ blockHash: `0x${'12'.repeat(32)}` })).toThrow('another block')
    expect(changed({ removed: true })).toThrow('removed by a fork')
    expect(changed({ logIndex: '0x0' })).toThrow('is missing')
    for (const invalid of [null, {}, 'none'])
      expect(() => readLogs(block, invalid as unknown as RpcLog[])).toThrow(ProviderError)
  })

  test('is refused when a receipt lost all of its logs, with and without a matching bloom', () => {
    const full = receipts.flatMap((receipt, i) => (receipt.logs.length > 0 ? [i] : []))
    expect(
      unrefused(
        block,
        full.map((i) => [`receipt ${i} emptied`, withReceipt(receipts, i, { logs: [] })]),
      ),
    ).toEqual([])
    expect(
      unrefused(
        block,
        full.map((i) => [
          `receipt ${i} emptied, bloom too`,
          withReceipt(receipts, i, { logs: [], logsBloom: emptyBloom }),
        ]),
      ),
    ).toEqual([])
  })

  test('is refused without any one receipt, with one twice, and with two swapped', () => {
    const without = (i: number) => [...receipts.slice(0, i), ...receipts.slice(i + 1)]
    const changes = receipts.map((_, i): [string, unknown] => [`without receipt ${i}`, without(i)])
    const [first, second, ...rest] = receipts
    changes.push(
      ['a receipt twice', [first, ...receipts]],
      ['the first twice, the second missing', [first, first, ...rest]],
    )
    changes.push(['two swapped', [second, first, ...rest]])
    expect(unrefused(block, changes)).toEqual([])
  })

  test('is refused when it is cut off anywhere, or is not a list', () => {
    const cut = receipts.map((_, i): [string, unknown] => [`cut at ${i}`, receipts.slice(0, i)])
    expect(
      unrefused(block, [
        ...cut,
        ['null', null],
        ['a message', 'not found'],
        ['an object', {}],
        ['holes', receipts.map(() => null)],
      ]),
    ).toEqual([])
    const fewer = { ...block, transactions: block.transactions.slice(0, -1) }
    expect(unrefused(fewer, [['a block without its last transaction', receipts]])).toEqual([])
    const hashes = {
      ...block,
      transactions: block.transactions.map((transaction) => transaction.hash),
    } as unknown as Recorded['block']
    expect(unrefused(hashes, [['a block with hashes in place of transactions', receipts]])).toEqual([])
  })

  test('is refused when one receipt, or all receipts, are of another fork', () => {
    const blockHash: `0x${string}` = `0x${'12'.repeat(32)}`
    const changes = receipts.map((_, i): [string, unknown] => [
      `receipt ${i} of a fork`,
      withReceipt(receipts, i, { blockHash }),
    ])
    changes.push(['all of a fork', receipts.map((receipt) => ({ ...receipt, blockHash }))])
    expect(unrefused(block, changes)).toEqual([])
    expect(unrefused({ ...block, hash: blockHash }, [['a block of a fork', receipts]])).toEqual([])
  })

  test('is refused when a receipt is of another transaction', () => {
    expect(
      unrefused(block, [
        ['another transaction', withReceipt(receipts, 3, { transactionHash: `0x${'34'.repeat(32)}` })],
      ]),
    ).toEqual([])
  })

  test("is refused when one bit of the block's bloom differs, where there is no receipts root", () => {
    const bits = Buffer.from(block.logsBloom.slice(2), 'hex')
    const { receiptsRoot: _, ...rootless } = block as Recorded['block'] & { receiptsRoot: string }
    const wrong = Array.from({ length: 256 }, (_, at) => {
      const bloom = Buffer.from(bits)
      bloom[at] = (bloom[at] as number) ^ (1 << (at % 8))
      return unrefused({ ...rootless, logsBloom: `0x${bloom.toString('hex')}` } as Recorded['block'], [
        [`bit ${at % 8} of byte ${at}`, receipts],
      ])
    })
    expect(wrong.flat()).toEqual([])
  })

  test.each(['number', 'hash', 'parentHash', 'timestamp'] as const)('is refused without its %s', (field) => {
    expect(unrefused({ ...block, [field]: undefined }, [[`no ${field}`, receipts]])).toEqual([])
    expect(unrefused({ ...block, [field]: 'latest' }, [[`no ${field}`, receipts]])).toEqual([])
  })

  test.each([
    ['a block without bloom and root', { logsBloom: undefined, receiptsRoot: undefined }, {}],
    ['a receipt without a bloom', {}, { logsBloom: undefined }],
    ['a receipt with a hole for a log', {}, { logs: [null] }],
    ['a receipt with an empty log', {}, { logs: [{ logIndex: '0x0' }] }],
  ])('is refused as a ProviderError when it is %s', (_what, blockChange, receiptChange) => {
    const at = receipts.findIndex((receipt) => receipt.logs.length > 0)
    const change = receiptChange as Partial<RecordedReceipt>
    expect(
      unrefused({ ...block, ...blockChange } as Recorded['block'], [
        ['it', withReceipt(receipts, at, change)],
      ]),
    ).toEqual([])
  })
})

describe('a block with transaction types unknown to Ethereum', () => {
  const read = ({ block, receipts }: MadeBlock, rules = plainRules) =>
    sound(() => blockOfReceipts(rules, 'node', block, receipts).block)
  /** Drops fields of transactions and receipts, as some nodes do. */
  const dropping = ({ block, receipts }: MadeBlock, fields: readonly string[]): MadeBlock => {
    const without = <T extends object>(each: T) =>
      Object.fromEntries(Object.entries(each).filter(([field]) => !fields.includes(field))) as T
    return {
      block: { ...block, transactions: block.transactions.map(without) },
      receipts: receipts.map(without),
    }
  }
  const paying = (type: string): MadeTransaction[] => [
    { type, value: '0x7', logs: [tokenTransfer(account(77), account(1), account(2), 5n)] },
    { type: '0x2', value: '0x3', logs: [tokenTransfer(account(77), account(1), account(2), 6n)] },
  ]

  const all = [
    ['native', 7n],
    ['log:0', 5n],
    ['native', 3n],
    ['log:1', 6n],
  ]
  const keys = ({ transfers }: Block) => transfers.map(({ movementKey, amount }) => [movementKey, amount])

  test.each([
    ["Arbitrum's deposit", '0x64'],
    ["Arbitrum's retry", '0x68'],
    ["Optimism's deposit", '0x7e'],
    ["Celo's", '0x7b'],
    ["ZkSync's priority", '0xff'],
  ])('%s, %s, is read with its token transfers and its value', (_what, type) => {
    expect(keys(read(madeBlock(7, paying(type))))).toEqual(all)
  })

  test.each([
    ["Optimism's deposit", '0x7e'],
    ["Celo's", '0x7b'],
    ['an unknown one', '0xfe'],
  ])('%s, %s, is read although its receipts root has another encoding', (_what, type) => {
    const { block, receipts } = madeBlock(7, paying(type))
    expect(
      keys(read(sealed({ block: { ...block, receiptsRoot: blockHash(1, 'another encoding') }, receipts }))),
    ).toEqual(all)
  })

  test('with an Optimism deposit and all fields of the root is refused when another amount in it is changed', () => {
    const { block, receipts } = madeBlock(7, paying('0x7e'))
    const [deposit, other] = receipts as [RpcReceipt, RpcReceipt]
    const canyon = [{ ...deposit, depositNonce: '0x5', depositReceiptVersion: '0x1' }, other]
    const proven = sealed({ block: { ...block, receiptsRoot: receiptsRoot(canyon) }, receipts: canyon })
    const [whole, paid] = proven.receipts as [RpcReceipt, RpcReceipt]
    expect(keys(read(proven))).toEqual(all)
    const more = { ...paid, logs: paid.logs.map((log) => ({ ...log, data: `0x${word(600)}` })) }
    expect(() => read({ ...proven, receipts: [whole, more] })).toThrow(/receipts root/)
    // Without those fields only the blooms are checked.
    const { depositNonce: _, depositReceiptVersion: __, ...bare } = whole
    expect(keys(read({ ...proven, receipts: [bare, more] }))).toContainEqual(['log:1', 600n])
  })

  test('is still refused when a log, a receipt or a bloom is missing', () => {
    const { block, receipts } = madeBlock(7, [
      ...paying('0x7e').slice(0, 1),
      { logs: [tokenTransfer(account(78), account(1), account(2), 6n)] },
    ])
    const [first, second] = receipts as [RpcReceipt, RpcReceipt]
    expect(() => read({ block, receipts: [{ ...first, logs: [] }, second] })).toThrow(ProviderError)
    expect(() => read({ block, receipts: [first] })).toThrow(ProviderError)
    expect(() =>
      read({ block, receipts: [first, { ...second, logs: [], logsBloom: `0x${'00'.repeat(256)}` }] }),
    ).toThrow(ProviderError)
    expect(read({ block, receipts }).transfers).toHaveLength(3)
  })

  test.each([['value'], ['from'], ['to'], ['input'], ['value', 'from', 'to', 'input']])(
    'is read when its transactions lack %s',
    (...fields) => {
      const made = madeBlock(7, [
        { type: '0x7b', value: '0x7', logs: [tokenTransfer(account(77), account(1), account(2), 5n)] },
      ])
      const { transfers } = read(dropping(made, fields))
      expect(transfers.filter(({ contract }) => contract !== null)).toMatchObject([
        { movementKey: 'log:0', amount: 5n },
      ])
    },
  )

  test('of any type, with optional fields missing or malformed, is read or refused with a ProviderError', () => {
    const odd = fc.constantFrom<unknown>(undefined, null, '', '0x', '0x0', '0xzz', 7, {}, [])
    const fields = [
      'type',
      'value',
      'from',
      'to',
      'input',
      'status',
      'contractAddress',
      'logs',
      'logsBloom',
      'cumulativeGasUsed',
      'blockHash',
    ]
    const changes = fc.dictionary(fc.constantFrom(...fields), odd, { maxKeys: 4 })
    fc.assert(
      fc.property(
        fc.nat(255),
        changes,
        changes,
        fc.constantFrom(null, account(1010)),
        (type, inBlock, inReceipt, nativeLog) => {
          const { block, receipts } = madeBlock(7, paying(hexOf(type)))
          const [transaction, ...others] = block.transactions
          const [receipt, ...rest] = receipts
          const made = {
            block: { ...block, transactions: [{ ...transaction, ...inBlock }, ...others] },
            receipts: [{ ...receipt, ...inReceipt }, ...rest],
          }
          try {
            read(made as unknown as MadeBlock, { nativeLog, ownReceipts: true })
          } catch (error) {
            if (!(error instanceof ProviderError)) throw error
          }
        },
      ),
      { numRuns: howMany(500, 10_000) },
    )
  })
})

describe("Polygon's state sync, from and to the zero address", () => {
  const rules = { nativeLog: '0x0000000000000000000000000000000000001010', ownReceipts: true }
  const bridged = tokenTransfer(account(77), zeroAddress, account(5), 9n)
  const transactions: MadeTransaction[] = [
    { value: '0x3', logs: [tokenTransfer(account(77), account(1), account(2), 6n)] },
    { from: zeroAddress, to: zeroAddress, type: '0x0', logs: [bridged] },
  ]
  const whole = madeBlock(7, transactions)
  /** A block from before 2025: bloom and roots do not include the state sync. */
  const before = sealed({
    ...whole,
    block: { ...madeBlock(7, transactions.slice(0, 1)).block, transactions: whole.block.transactions },
  })
  const keys = (block: Block | null) =>
    block?.transfers.map(({ movementKey, amount }) => [movementKey, amount])
  const all = [
    ['native', 3n],
    ['log:0', 6n],
    ['log:1', 9n],
  ]

  test.each([
    ['counted in the bloom', whole],
    ['not counted in the bloom', before],
  ])('is read where it is listed with a receipt, %s', (_what, { block, receipts }) => {
    expect(keys(sound(() => blockOfReceipts(rules, 'node', block, receipts).block))).toEqual(all)
  })

  test('is read where it has a receipt and is not listed', () => {
    const unlisted = { ...before.block, transactions: before.block.transactions.slice(0, 1) }
    expect(keys(sound(() => blockOfReceipts(rules, 'node', unlisted, before.receipts).block))).toEqual(all)
  })

  test('does not hide a changed amount in the same block, under the receipts root or not', () => {
    for (const made of [before, whole]) {
      const [paid, synced] = made.receipts as [RpcReceipt, RpcReceipt]
      const more = { ...paid, logs: paid.logs.map((log) => ({ ...log, data: `0x${word(600)}` })) }
      expect(keys(sound(() => blockOfReceipts(rules, 'node', made.block, [paid, synced]).block))).toEqual(all)
      expect(() => sound(() => blockOfReceipts(rules, 'node', made.block, [more, synced]))).toThrow(
        /receipts root/,
      )
    }
  })

  test('is read from logs alone, listed or not', () => {
    const logsOf = ({ receipts }: MadeBlock) => receipts.flatMap(({ logs }) => logs)
    expect(keys(blockOfLogs(rules, 'node', whole.block, logsOf(whole)).block)).toEqual(all)
    expect(keys(blockOfLogs(rules, 'node', before.block, logsOf(before)).block)).toEqual(all)
    const unlisted = { ...before.block, transactions: before.block.transactions.slice(0, 1) }
    expect(keys(blockOfLogs(rules, 'node', unlisted, logsOf(before)).block)).toEqual(all)
    expect(() => blockOfLogs(rules, 'node', whole.block, logsOf(whole).slice(0, 1))).toThrow(ProviderError)
  })

  test('listed twice, in the receipts or in the block, is refused at that node, and the next one is used', async () => {
    const twice = <T>(list: T[]): T[] => [...list, ...list.slice(-1)]
    // A legacy block: its roots do not include the state sync, so that they match with any number of them.
    const changes = {
      receipts: {
        eth_getBlockReceipts: (_: unknown, truth: () => unknown) => twice(truth() as RpcReceipt[]),
      },
      both: {
        eth_getBlockReceipts: (_: unknown, truth: () => unknown) => twice(truth() as RpcReceipt[]),
        eth_getBlockByNumber: (_: unknown, truth: () => unknown) => {
          const block = truth() as RpcBlock
          return Number(block.number) === 7 ? { ...block, transactions: twice(block.transactions) } : block
        },
      },
    }
    for (const answer of Object.values(changes)) {
      const nodes = [
        madeNode('liar', [before], { chainId: 137, answer }),
        madeNode('honest', [before], { chainId: 137 }),
      ]
      const { reader } = madeReader(nodes, { network: '137', ...rules })
      for (const read of [await reader.block(7), (await reader.blocks(7, 7))[0]]) {
        expect(read?.source).toBe('honest')
        const found = read?.transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`) ?? []
        expect(new Set(found).size).toBe(found.length)
      }
    }
  })

  test('listed twice, is refused before its transfers are read', () => {
    const { block, receipts } = before
    const again = { ...block, transactions: [...block.transactions, ...block.transactions.slice(-1)] }
    expect(() => blockOfReceipts(rules, 'node', block, [...receipts, ...receipts.slice(-1)])).toThrow(
      'a receipt is listed twice',
    )
    expect(() =>
      blockOfLogs(
        rules,
        'node',
        again,
        receipts.flatMap(({ logs }) => logs),
      ),
    ).toThrow('a transaction is listed twice')
  })

  test('has its receipt requested by itself where the receipts of the block omit it', async () => {
    const node = madeNode('a', [whole], {
      chainId: 137,
      answer: { eth_getBlockReceipts: (_, truth) => (truth() as RpcReceipt[]).slice(0, 1) },
    })
    const { reader } = madeReader([node], { network: '137', ...rules })
    expect(keys(await reader.block(7))).toEqual(all)
    expect(node.calls).toContain(`eth_getTransactionReceipt ${whole.block.transactions[1]?.hash}`)
  })

  test('makes the block unreadable where no provider has its receipt', async () => {
    const node = madeNode('a', [whole], {
      chainId: 137,
      answer: {
        eth_getBlockReceipts: (_, truth) => (truth() as RpcReceipt[]).slice(0, 1),
        eth_getTransactionReceipt: () => null,
      },
    })
    await expect(madeReader([node], { network: '137', ...rules }).reader.block(7)).rejects.toThrow(
      ProviderError,
    )
  })
})

const height = 100
const paid = { value: '0x5', logs: [tokenTransfer(account(77), account(1), account(2), 7n)] }
const idAt = (of: readonly MadeBlock[], at: number) =>
  of.find(({ block }) => Number(block.number) === at)?.block.hash
const chainOf = (from: number, to: number, transactions: MadeTransaction[] = [paid]) =>
  Array.from({ length: to - from + 1 }, (_, index) => madeBlock(from + index, transactions))

describe('reading from several providers', () => {
  const blocks = chainOf(98, height)
  const node = (name: string, change: Parameters<typeof madeNode>[2] = {}) => madeNode(name, blocks, change)

  test('block and receipts come from the same provider, in two calls', async () => {
    const nodes = [node('a'), node('b')]
    const { reader } = madeReader(nodes)
    await reader.verify()
    for (const each of nodes) each.calls.length = 0
    const read = await reader.block(height)
    expect(read).toMatchObject({ height, id: idAt(blocks, height), source: 'a', traced: true })
    expect(read?.transfers.map(({ movementKey }) => movementKey)).toEqual(['native', 'log:0'])
    expect(nodes.map(({ calls }) => calls.sort())).toEqual([
      ['eth_getBlockByNumber 0x64', 'eth_getBlockReceipts 0x64'],
      [],
    ])
  })

  test('an inconsistent answer is refused and reported, and the next provider is used', async () => {
    const { reader, refused } = madeReader([
      node('a', { answer: { eth_getBlockReceipts: ([at], truth) => (at === '0x64' ? [] : truth()) } }),
      node('b', {
        answer: {
          eth_getBlockByNumber: ([at], truth) =>
            at === '0x64' ? { ...(truth() as object), hash: 7 } : truth(),
        },
      }),
      node('c'),
    ])
    refused.length = 0
    expect((await reader.block(height - 1))?.source).toBe('a')
    expect(refused).toEqual([])
    const lying = madeReader([
      node('a', {
        answer: { eth_getBlockReceipts: ([at], truth) => (at === hexOf(height - 1) ? [] : truth()) },
      }),
      node('b'),
    ])
    expect((await lying.reader.block(height - 1))?.source).toBe('b')
    expect(lying.refused).toEqual(['a'])
  })

  test('only inconsistent answers give a ProviderError that names each provider', async () => {
    const at = hexOf(height - 1)
    const answered = (answer: unknown) => ({
      answer: {
        eth_getBlockReceipts: ([asked]: unknown[], truth: () => unknown) => (asked === at ? answer : truth()),
      },
    })
    const { reader } = madeReader([node('a', answered([])), node('b', answered(null))])
    const error = await reader.block(height - 1).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ProviderError)
    expect(String(error)).toMatch(/0 receipts for 1 transactions.*no transactions or receipts/)
  })

  test('a block that does not exist yet is null; one that only one provider has is read there', async () => {
    const ahead = madeNode('b', chainOf(98, height + 1))
    expect(await madeReader([node('a'), node('b')]).reader.block(height + 1)).toBeNull()
    expect(await madeReader([node('a'), node('b')]).reader.header(height + 1)).toBeNull()
    expect(await madeReader([node('a'), ahead]).reader.block(height + 1)).toMatchObject({
      height: height + 1,
      source: 'b',
    })
  })

  test('a block of another height than requested is refused', async () => {
    const wrong = {
      eth_getBlockByNumber: ([at]: unknown[], truth: () => unknown) =>
        at === '0x63' ? blocks[2]?.block : truth(),
    }
    await expect(madeReader([node('a', { answer: wrong })]).reader.block(99)).rejects.toThrow(
      'asked for block 99',
    )
    await expect(madeReader([node('a', { answer: wrong })]).reader.header(99)).rejects.toThrow(ProviderError)
  })

  test('the head is the highest of all providers', async () => {
    const { reader } = madeReader([madeNode('a', chainOf(98, 98)), node('b'), madeNode('c', chainOf(98, 99))])
    expect(await reader.head()).toMatchObject({ height, id: idAt(blocks, height) })
  })

  test('without receipts by block, logs are requested by block hash, never by number, and native value stays unproven', async () => {
    const a = node('a', { without: new Set(['eth_getBlockReceipts', 'debug_traceBlockByHash']) })
    const read = await madeReader([a]).reader.block(height)
    expect(read?.transfers).toMatchObject([
      { movementKey: 'native', unproven: true },
      { movementKey: 'log:0' },
    ])
    expect(a.calls.filter((call) => call.startsWith('eth_getLogs'))).toEqual([
      `eth_getLogs {"blockHash":"${idAt(blocks, height)}"}`,
    ])
    const five = madeBlock(5, [{ value: '0x1' }, { value: '0x2', status: '0x0' }])
    const failing = madeNode('a', [five], { without: a.without })
    const { reader } = madeReader([failing])
    const txIds = (await reader.block(5))?.transfers.map(({ txId }) => txId) ?? []
    expect(txIds).toHaveLength(2)
    expect(await reader.succeeded({ height: 5, id: five.block.hash }, txIds)).toEqual(new Set([txIds[0]]))
    await expect(reader.succeeded({ height: 5, id: blockHash(5, 'b') }, txIds)).rejects.toThrow(
      'in another block',
    )
    await expect(
      reader.succeeded({ height: 5, id: five.block.hash }, [blockHash(1, 'no such')]),
    ).rejects.toThrow(ProviderError)
  })
})

describe('the finalized block', () => {
  const blocks = chainOf(90, height)
  test('is reported by each provider with its head, or is null', async () => {
    const { reader } = madeReader([
      madeNode('a', blocks.slice(0, -1)),
      madeNode('b', blocks, { finalized: 95 }),
    ])
    await reader.verify()
    expect(await reader.tips()).toEqual([
      { source: 'a', head: height - 1, finalized: null },
      {
        source: 'b',
        head: height,
        finalized: expect.objectContaining({ height: 95, id: expect.stringMatching(/^0x/) }),
      },
    ])
  })

  test('can be compared with the header of the same provider', async () => {
    const fork = [madeBlock(90, [], 'b'), ...blocks.slice(1)]
    const { reader } = madeReader([madeNode('a', blocks), madeNode('b', fork)])
    const ids = await Promise.all(['a', 'b'].map(async (source) => (await reader.header(90, source))?.id))
    expect(ids).toEqual([idAt(blocks, 90), idAt(fork, 90)])
    expect(idAt(blocks, 90)).not.toBe(idAt(fork, 90))
  })
})

describe('internal transfers', () => {
  const frame = (value: string) => ({
    type: 'CALL',
    from: account(1),
    to: account(2),
    value: '0x5',
    calls: [{ type: 'CALL', from: account(2), to: account(6), value }],
  })
  const blocks = chainOf(90, height)
  const tracing = (name: string, value = '0x2', tracer = 'callTracer') =>
    madeNode(name, blocks, {
      without: new Set(),
      answer: {
        debug_traceBlockByHash: ([, options]) => {
          if ((options as { tracer: string }).tracer !== tracer)
            throw new RpcError(`${name}: debug_traceBlockByHash`, -32000, 'tracer not found')
          return tracer === 'callTracer'
            ? [{ result: frame(value) }]
            : [{ result: { pre: {}, post: { [account(6)]: { balance: value } } } }]
        },
      },
    })

  test('are added from any provider that offers traces', async () => {
    const { reader } = madeReader([madeNode('a', blocks), tracing('b')])
    await reader.verify()
    expect(reader.internalMethod).toBe('traces')
    const read = await reader.block(height)
    expect(read).toMatchObject({ source: 'a', traced: true })
    expect(read?.transfers.map(({ movementKey }) => movementKey)).toEqual([
      'native',
      'log:0',
      expect.stringMatching(/^trace:0x/),
    ])
  })

  test('do not block reading while no provider can trace: the block is marked untraced, and they can be read later', async () => {
    let works = false
    const tracer = tracing('b')
    const { reader } = madeReader([madeNode('a', blocks), tracer])
    await reader.verify()
    const truth = tracer.answer.debug_traceBlockByHash
    tracer.answer.debug_traceBlockByHash = (params, next) => {
      if (!works) throw new ProviderError('execution timeout')
      return truth?.(params, next)
    }
    const read = await reader.block(height)
    expect(read).toMatchObject({ traced: false })
    expect(read?.transfers).toHaveLength(2)
    await expect(reader.internal(height)).rejects.toThrow(ProviderError)
    works = true
    expect(await reader.internal(height)).toMatchObject({
      height,
      id: idAt(blocks, height),
      traced: true,
      transfers: [{ movementKey: expect.stringMatching(/^trace:0x/), amount: 2n }],
    })
  })

  test('are read by one tracer only, the better one, so that each has one key', async () => {
    const { reader } = madeReader([tracing('a', '0x7', 'prestateTracer'), tracing('b')])
    await reader.verify()
    expect(
      (await reader.block(height))?.transfers.filter(({ movementKey }) => movementKey.startsWith('trace')),
    ).toMatchObject([{ movementKey: expect.stringMatching(/^trace:0x/), amount: 2n }])
  })

  test('are not requested for an empty block, where the chain logs them, and where the operator turned them off', async () => {
    const empty = madeNode('a', [madeBlock(height)], {
      without: new Set(),
      answer: { debug_traceBlockByHash: () => [] },
    })
    const { reader } = madeReader([empty])
    await reader.verify()
    empty.calls.length = 0
    expect(await reader.block(height)).toMatchObject({ traced: true, transfers: [] })
    expect(empty.calls.filter((call) => call.startsWith('debug'))).toEqual([])
    for (const chain of [
      { nativeLog: account(1010) },
      { internalTransfers: 'off' as const },
      { internalTransfers: 'balances' as const },
    ]) {
      const node = tracing('a')
      const other = madeReader([node], chain).reader
      await other.verify()
      expect((await other.block(height))?.transfers).toHaveLength(2)
      expect(node.calls.filter((call) => call.startsWith('debug'))).toEqual([])
    }
  })
})

describe('reading far below the head', () => {
  const blocks = chainOf(1, 200)
  const heights = (read: readonly Block[]) => read.map((block) => block.height)
  const from1 = (to: number) => Array.from({ length: to }, (_, index) => index + 1)
  const full = (calls: readonly string[]) =>
    calls.filter((call) => call.startsWith('eth_getBlockByNumber') && call.endsWith('true'))

  test('gives every block in order, without transactions: all token transfers, and the possible accounts of native ones', async () => {
    const node = madeNode('a', blocks)
    const read = await madeReader([node]).reader.blocks(1, 200)
    expect(heights(read)).toEqual(from1(200))
    for (const { transfers, unread, source } of read) {
      expect(transfers.map(({ movementKey }) => movementKey)).toEqual(['log:0'])
      expect([source, unread?.length]).toEqual(['a', 2])
    }
    expect(full(node.calls)).toEqual([])
  })

  test('names recipient and sender of transactions that succeeded, not of failed ones', async () => {
    const some = madeBlock(5, [
      { value: '0x1', to: account(2) },
      { value: '0x1', from: account(4), to: account(3), status: '0x0' },
    ])
    const [read] = await madeReader([madeNode('a', [some])]).reader.blocks(5, 5)
    expect(read?.unread).toEqual([account(2), account(1)])
  })

  test('refuses incomplete receipts, and continues with another provider', async () => {
    const leaky = madeNode('a', blocks, {
      answer: {
        eth_getBlockReceipts: (_params, truth) =>
          (truth() as RpcReceipt[]).map((each) => ({ ...each, logs: [] })),
      },
    })
    await expect(madeReader([leaky]).reader.blocks(1, 20)).rejects.toThrow(ProviderError)
    const read = await madeReader([leaky, madeNode('b', blocks)]).reader.blocks(1, 30)
    expect(heights(read)).toEqual(from1(30))
    expect(new Set(read.map(({ source }) => source))).toEqual(new Set(['b']))
  })

  test('gives the blocks before the first that cannot be read; without any, throws a ProviderError', async () => {
    const { reader } = madeReader([madeNode('a', blocks)])
    expect(heights(await reader.blocks(198, 210))).toEqual([198, 199, 200])
    await expect(reader.blocks(201, 210)).rejects.toThrow(ProviderError)
  })

  test('reads the full block and its logs by hash from a provider without receipts by block', async () => {
    const node = madeNode('a', blocks, {
      without: new Set(['eth_getBlockReceipts', 'debug_traceBlockByHash']),
    })
    const { reader } = madeReader([node])
    await reader.verify()
    const read = await reader.blocks(1, 3)
    expect(read.map(({ transfers, unread }) => [transfers.length, unread])).toEqual([
      [2, undefined],
      [2, undefined],
      [2, undefined],
    ])
  })
})

describe('a cross-check', () => {
  const at = madeBlock(7, [
    { value: '0x5', to: account(2), logs: [tokenTransfer(account(77), account(1), account(2), 7n)] },
    {
      to: account(77),
      logs: [
        tokenTransfer(account(77), account(1), account(3), 8n),
        tokenTransfer(account(78), account(1), account(2), 9n),
      ],
    },
  ])
  const blocks = [at, ...chainOf(8, 12)]
  const ours = sound(() => blockOfReceipts(plainRules, 'a', at.block, at.receipts).block)
  const to = (recipient: string) => ours.transfers.filter((transfer) => transfer.to === recipient)
  const asked = { height: 7, id: ours.id, source: 'a' }
  const other = (change: Parameters<typeof madeNode>[2] & { blocks?: MadeBlock[] } = {}) => {
    const { blocks: has = blocks, ...rest } = change
    return madeReader([madeNode('a', blocks), madeNode('b', has, rest)]).reader
  }

  test('agrees where the other provider has the same transfers in the same block, with any other content', async () => {
    expect(await other().crossCheck(asked, to(account(2)))).toMatchObject({ said: 'agrees' })
    expect(await other().crossCheck(asked, to(account(3)))).toMatchObject({ said: 'agrees' })
    expect(await other().crossCheck(asked, ours.transfers)).toMatchObject({ said: 'agrees' })
  })

  test('reads from a provider other than the source', async () => {
    const [a, b] = [madeNode('a', blocks), madeNode('b', blocks)]
    const { reader } = madeReader([a, b])
    await reader.verify()
    a.calls.length = 0
    await reader.crossCheck(asked, to(account(2)))
    expect(a.calls).toEqual([])
    expect(await madeReader([madeNode('a', blocks)]).reader.crossCheck(asked, to(account(2)))).toMatchObject({
      said: 'cannot say',
    })
  })

  test('disagrees about a block of another id with the same transfers', async () => {
    const fork = [madeBlock(7, [], 'b'), ...chainOf(8, 12)]
    expect(await other({ blocks: fork }).crossCheck(asked, to(account(2)))).toMatchObject({
      said: 'disagrees',
    })
    expect(await other().crossCheck({ ...asked, id: blockHash(7, 'b') }, to(account(2)))).toMatchObject({
      said: 'disagrees',
    })
  })

  test('disagrees about a missing transfer, an additional one, and one of another amount, sender or token', async () => {
    const [first, second, ...rest] = to(account(2)) as [Transfer, Transfer, Transfer]
    const check = (...transfers: Transfer[]) => other().crossCheck(asked, transfers)
    expect(await check(first, second, ...rest, { ...first, movementKey: 'log:99' })).toMatchObject({
      said: 'disagrees',
    })
    expect(await check(...rest, first)).toMatchObject({ said: 'agrees' })
    expect(await check(second)).toMatchObject({ said: 'agrees' })
    expect(await check({ ...first, amount: first.amount + 1n }, second, ...rest)).toMatchObject({
      said: 'disagrees',
    })
    expect(await check({ ...first, from: account(8) }, second, ...rest)).toMatchObject({ said: 'disagrees' })
    expect(await check(first, { ...second, contract: account(79) }, ...rest)).toMatchObject({
      said: 'disagrees',
    })
    const twice = madeBlock(7, [
      {
        logs: [
          tokenTransfer(account(77), account(1), account(2), 7n),
          tokenTransfer(account(77), account(1), account(2), 7n),
        ],
      },
    ])
    const one = sound(() => blockOfReceipts(plainRules, 'a', twice.block, twice.receipts).block)
    expect(
      await other({ blocks: [twice] }).crossCheck({ ...asked, id: one.id }, one.transfers.slice(0, 1)),
    ).toMatchObject({ said: 'disagrees' })
    expect(
      await other({ blocks: [twice] }).crossCheck({ ...asked, id: one.id }, one.transfers),
    ).toMatchObject({ said: 'agrees' })
  })

  test('does not deny internal transfers, which receipts do not show', async () => {
    const internal = {
      txId: blockHash(1, 'tx'),
      movementKey: `trace:${account(5)}:${account(6)}:5:0`,
      contract: null,
      from: account(5),
      to: account(6),
      amount: 5n,
    }
    expect(await other().crossCheck(asked, [internal])).toMatchObject({ said: 'agrees' })
  })

  test('compares the traces of a provider with the same tracer, and never reads from the source itself', async () => {
    const calls = (amount: string) =>
      at.block.transactions.map(({ hash: txHash }) => ({
        txHash,
        result: {
          type: 'CALL',
          from: account(1),
          to: account(2),
          calls: [{ type: 'CALL', from: account(5), to: account(6), value: amount }],
        },
      }))
    const tracing = (name: string, amount: string) =>
      madeNode(name, blocks, {
        without: new Set(),
        answer: { debug_traceBlockByHash: () => calls(amount), debug_traceTransaction: () => null },
      })
    const read = async (...nodes: Parameters<typeof madeReader>[0]) => {
      const { reader } = madeReader(nodes)
      await reader.verify()
      const block = await reader.block(7)
      const internal = block?.transfers.filter(({ movementKey }) => movementKey.startsWith('trace:')) ?? []
      expect(internal.map(({ amount }) => amount)).toEqual([5n, 5n])
      const [source] = internal.map((each) => each.source)
      return { source, said: (await reader.crossCheck({ ...asked, source: source ?? '' }, internal)).said }
    }
    const [honest, plain] = [tracing('honest', '0x5'), madeNode('plain', blocks)]
    expect(await read(honest, tracing('other', '0x5'))).toEqual({ source: 'honest', said: 'agrees' })
    expect(await read(tracing('liar', '0x5'), tracing('other', '0x4'))).toEqual({
      source: 'liar',
      said: 'disagrees',
    })
    // A provider without traces reports no calls: where it is the only other one, the tracing
    // provider is trusted.
    expect(await read(plain, honest)).toEqual({ source: 'honest', said: 'agrees' })
    expect(await read(tracing('liar', '0x5'), plain, tracing('other', '0x4'))).toEqual({
      source: 'liar',
      said: 'disagrees',
    })
    const silent = tracing('silent', '0x5')
    silent.answer.debug_traceBlockByHash = () => {
      throw new ProviderError('silent: timeout')
    }
    expect(await read(tracing('liar', '0x5'), silent)).toEqual({ source: 'liar', said: 'cannot say' })
  })

  test('gives `has it not` for an unknown height, and `cannot say` without an answer', async () => {
    expect(await other({ blocks: chainOf(1, 5) }).crossCheck(asked, to(account(2)))).toMatchObject({
      said: 'has it not',
    })
    const dead = () => {
      throw new ProviderError('b: timeout')
    }
    expect(
      await other({ answer: { eth_getBlockByNumber: dead, eth_chainId: dead } }).crossCheck(
        asked,
        to(account(2)),
      ),
    ).toMatchObject({
      said: 'cannot say',
    })
    expect(await other({ chainId: 5 }).crossCheck(asked, to(account(2)))).toMatchObject({
      said: 'cannot say',
    })
    expect(
      await other({
        answer: { eth_getBlockReceipts: ([h], truth) => (h === '0x7' ? [] : truth()) },
      }).crossCheck(asked, to(account(2))),
    ).toMatchObject({ said: 'cannot say' })
  })
})

describe('balances', () => {
  test('are requested a hundred at a time and returned in order', async () => {
    const addresses = Array.from({ length: 250 }, (_, index) => account(index))
    const sizes: number[] = []
    const node = madeNode('a', chainOf(1, 5), {
      answer: { eth_getBalance: ([address]) => hexOf(BigInt(String(address))) },
    })
    const { reader, providers } = madeReader([node])
    await providers.ask(async (rpc) => {
      const { callMany } = rpc
      rpc.callMany = (method, params) => {
        sizes.push(params.length)
        return callMany(method, params)
      }
      return true
    })
    expect(await reader.balances(addresses, 5)).toEqual(addresses.map(BigInt))
    expect(sizes).toEqual([100, 100, 50])
    expect(await reader.balances([], 5)).toEqual([])
  })

  test('that are not numbers are refused as a ProviderError', async () => {
    const node = madeNode('a', chainOf(1, 5), { answer: { eth_getBalance: () => 'much' } })
    await expect(madeReader([node]).reader.balances([account(1)], 5)).rejects.toThrow(ProviderError)
  })
})
