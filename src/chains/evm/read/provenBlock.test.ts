import { describe, expect, test } from '@jest/globals'
import {
  account,
  hash,
  type MadeBlock,
  madeBlock,
  madeNode,
  madeReader,
  sealed,
  tokenTransfer,
  transactionsRootOf,
  word,
  zeroAddress,
} from '../../../../test/support/madeNode.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import type { SlowTransaction } from '../../../../test/support/slowTransaction.ts'
import { slowTransactionHash } from '../../../../test/support/slowTransaction.ts'
import { encodeReceipt, slowRoot } from '../../../../test/support/slowTrie.ts'
import { createLog } from '../../../platform/telemetry/log.ts'
import { ProviderError } from '../../chain.ts'
import { sound } from '../../providers/sound.ts'
import type { RpcBlock, RpcReceipt } from '../rpcTypes.ts'
import { bloomOf } from './bloom.ts'
import type { EvmRules } from './movements.ts'
import { blockOfLogs, blockOfReceipts } from './readBlock.ts'
import { createUnproven } from './unproven.ts'

const rules: EvmRules = { nativeLog: null, ownReceipts: true }
const read = ({ block, receipts }: MadeBlock, of = rules) =>
  sound(() => blockOfReceipts(of, 'node', block, receipts))
const readLogs = ({ block, receipts }: MadeBlock, of = rules) =>
  sound(() =>
    blockOfLogs(
      of,
      'node',
      block,
      receipts.flatMap(({ logs }) => logs),
    ),
  )
const [empty, emptyBloom] = [slowRoot([]), `0x${'00'.repeat(256)}`]
const bloomHex = (receipts: readonly RpcReceipt[]) =>
  `0x${Buffer.from(bloomOf(receipts.flatMap(({ logs }) => logs))).toString('hex')}`

/** A block with other receipts, under their bloom and root but the old hash. */
const withReceipts = (block: RpcBlock, receipts: RpcReceipt[]): MadeBlock => ({
  block: { ...block, logsBloom: bloomHex(receipts), receiptsRoot: slowRoot(receipts.map(encodeReceipt)) },
  receipts,
})
const emptied = ({ block }: MadeBlock): MadeBlock => ({
  block: { ...block, transactions: [], transactionsRoot: empty, receiptsRoot: empty, logsBloom: emptyBloom },
  receipts: [],
})
/** Changes the amount in the last log that has one. */
function otherAmount({ block, receipts }: MadeBlock): MadeBlock {
  const at = receipts.findLastIndex(({ logs }) => logs.some(({ data }) => data.length === 66))
  const changed = receipts.map((receipt, index) =>
    index === at
      ? {
          ...receipt,
          logs: receipt.logs.map((log) =>
            log.data.length === 66 ? { ...log, data: `0x${word(600)}` } : log,
          ),
        }
      : receipt,
  )
  return withReceipts(block, changed)
}
/** Changes the last non-zero value, under the old hash of its transaction or a matching one. */
function otherValue({ block, receipts }: MadeBlock, isNamed: boolean): MadeBlock {
  const at = block.transactions.findLastIndex(({ value }) => BigInt(value ?? '0x0') > 0n)
  const old = block.transactions[at]
  const more = { ...old, value: '0x123456789' } as RpcBlock['transactions'][number]
  const id = isNamed ? slowTransactionHash(more as unknown as SlowTransaction) : more.hash
  const transactions = block.transactions.map((each, index) => (index === at ? { ...more, hash: id } : each))
  const renamed = receipts.map((receipt) =>
    receipt.transactionHash === old?.hash
      ? {
          ...receipt,
          transactionHash: id,
          logs: receipt.logs.map((log) => ({ ...log, transactionHash: id })),
        }
      : receipt,
  )
  return { block: { ...block, transactions }, receipts: renamed }
}
const withRoot = ({ block, receipts }: MadeBlock): MadeBlock => ({
  block: { ...block, transactionsRoot: transactionsRootOf(block.transactions) },
  receipts,
})

describe.each([
  'ethereum/18000000',
  'ethereum/15753009',
  'polygon/50000000',
  'polygon/38102393',
  'arbitrum/150000000',
])('%s', (name) => {
  const recorded = recordedBlock(name) as unknown as MadeBlock

  test('is read, and proven by its header', () => {
    expect(read(recorded).unproven).toEqual([])
  })

  test.each([
    ['another amount, under a matching bloom and receipts root', otherAmount(recorded)],
    ['no content, under empty roots', emptied(recorded)],
    ['no content', { block: { ...recorded.block, transactions: [] }, receipts: [] }],
    ['another value', otherValue(recorded, false)],
    ['another value, under a matching transaction hash', otherValue(recorded, true)],
    ['another value, under a matching transactions root', withRoot(otherValue(recorded, true))],
    ['another parent', { ...recorded, block: { ...recorded.block, parentHash: hash('other') } }],
    ['another time', { ...recorded, block: { ...recorded.block, timestamp: '0x1' } }],
  ])('is refused under the same hash with %s', (_what, lie) => {
    expect(() => read(lie)).toThrow(ProviderError)
    expect(() => readLogs(lie)).toThrow(ProviderError)
  })

  test('is not checked against its hash where the node is trusted', () => {
    for (const lie of [otherAmount(recorded), emptied(recorded), otherValue(recorded, true)]) {
      expect(() => read(lie, { ...rules, trusted: true })).not.toThrow()
    }
  })
})

const paid = { value: '0x5', logs: [tokenTransfer(account(77), account(1), account(2), 7n)] }
/** A field that an upgrade of the chain may add. */
const futureField = { blockAccessListHash: hash('of the future') }
/** A block after such an upgrade: this version cannot compute its hash. */
function afterUpgrade(made: MadeBlock): MadeBlock {
  const id = hash('with another field', Number(made.block.number))
  const { block, receipts } = sealed(made)
  return {
    block: { ...block, ...futureField, hash: id },
    receipts: receipts.map((each) => ({
      ...each,
      blockHash: id,
      logs: each.logs.map((log) => ({ ...log, blockHash: id })),
    })),
  }
}
/** An emptied block under the same hash, with an unknown field so that the header cannot be proven. */
const lieAbout = (made: MadeBlock): MadeBlock => {
  const { block, receipts } = emptied(made)
  return { block: { ...block, ...futureField }, receipts }
}

describe('a header with a field that this version does not know', () => {
  const [seven, eight] = [madeBlock(7, [paid]), madeBlock(8)]
  const [later, latest] = [afterUpgrade(seven), afterUpgrade(eight)]
  const amounts = (block: { transfers: readonly { amount: bigint }[] } | null | undefined) =>
    block?.transfers.map(({ amount }) => amount)

  test('of the only provider is accepted, and counts as unproven', async () => {
    const { reader, unproven } = madeReader([madeNode('a', [later, latest])])
    expect(amounts(await reader.block(7))).toEqual([5n, 7n])
    expect((await reader.blocks(7, 7)).map(amounts)).toEqual([[7n]])
    expect(unproven).toEqual(['a header', 'a header'])
  })

  test('is accepted where another provider has the same header under the same hash', async () => {
    const { reader, unproven, refused } = madeReader([
      madeNode('a', [later, latest]),
      madeNode('b', [later, latest]),
    ])
    expect(await reader.block(7)).toMatchObject({ source: 'a' })
    expect((await reader.blocks(7, 8)).map(({ height }) => height)).toEqual([7, 8])
    expect(new Set(unproven)).toEqual(new Set(['a header']))
    expect(refused).toEqual([])
  })

  test('is refused where another provider has a different header, and the block is read there', async () => {
    for (const [lie, truth] of [
      [lieAbout(seven), seven],
      [lieAbout(later), later],
    ] as const) {
      const others =
        truth === later
          ? [madeNode('b', [truth, latest]), madeNode('c', [truth, latest])]
          : [madeNode('b', [truth, eight])]
      const { reader, refused } = madeReader([madeNode('a', [lie, eight]), ...others])
      expect(await reader.block(7)).toMatchObject({
        source: 'b',
        transfers: [{ amount: 5n }, { amount: 7n }],
      })
      expect((await reader.blocks(7, 7)).map(amounts)).toEqual([[7n]])
      expect(refused.length).toBeGreaterThan(0)
      expect(new Set(refused)).toEqual(new Set(['a']))
    }
  })

  test('waits for a provider that does not have the block yet, and then continues without it', async () => {
    const nodes = () => [madeNode('a', [later, latest]), madeNode('b', [latest])]
    const waiting = madeReader(nodes())
    expect(await waiting.reader.block(7)).toBeNull()
    expect(waiting.refused).toEqual([])
    expect(await madeReader(nodes(), { crossCheckMs: 0 }).reader.block(7)).toMatchObject({ source: 'a' })
  })

  test('is proven where its hash matches: then the field is not part of the header', async () => {
    const proven = { ...seven, block: { ...seven.block, ...futureField } }
    const { reader, unproven } = madeReader([madeNode('a', [proven, eight]), madeNode('b', [eight])])
    expect(amounts(await reader.block(7))).toEqual([5n, 7n])
    expect(unproven).toEqual([])
  })

  test('is logged once for each provider', () => {
    const [counted, lines]: [string[], string[]] = [[], []]
    const log = createLog('test', 'warn', { write: (line) => void lines.push(line) })
    const unproven = createUnproven(
      { unproven: (provider, what) => void counted.push(`${provider} ${what}`) },
      log,
    )
    for (const what of ['header', 'header', 'transactions'] as const)
      for (const provider of ['a', 'b']) unproven(provider, what)
    expect(counted).toHaveLength(6)
    expect(lines.map((line) => JSON.parse(line).provider)).toEqual(['a', 'b'])
  })
})

describe('a header that is requested by itself', () => {
  const [seven, eight] = [madeBlock(7, [paid]), madeBlock(8)]
  const lying = { block: { ...eight.block, parentHash: hash('other') }, receipts: [] }

  test('is refused where it does not match its hash, and another provider is used', async () => {
    const { reader, refused } = madeReader([
      madeNode('a', [seven, lying], { finalized: 8 }),
      madeNode('b', [seven, eight], { finalized: 8 }),
    ])
    expect(await reader.header(8)).toMatchObject({ parentId: eight.block.parentHash })
    expect(await reader.head()).toMatchObject({ parentId: eight.block.parentHash })
    expect((await reader.tips()).map(({ source }) => source)).toEqual(['b'])
    expect(new Set(refused)).toEqual(new Set(['a']))
  })
})

describe('native value', () => {
  test('in a block with a transaction type that this version does not know counts as unproven', async () => {
    const made = madeBlock(7, [paid, { ...paid, type: '0x68' }])
    expect(read(made).unproven).toEqual(['transactions'])
    const { reader, unproven } = madeReader([madeNode('a', [made])])
    expect(await reader.block(7)).toMatchObject({
      transfers: [{ amount: 5n }, { amount: 7n }, { amount: 5n }, { amount: 7n }],
    })
    expect(unproven).toEqual(['a transactions'])
  })

  test('is refused where a transaction claims a type that the receipts disprove', () => {
    const { block, receipts } = madeBlock(7, [paid])
    const transactions = block.transactions.map((each) => ({ ...each, type: '0x68', value: '0x600' }))
    expect(() => read({ block: { ...block, transactions }, receipts })).toThrow(ProviderError)
    const synced = block.transactions.map((each) => ({
      ...each,
      from: zeroAddress,
      to: zeroAddress,
      value: '0x600',
    }))
    const unsent = receipts.map((each) => ({ ...each, from: zeroAddress, to: zeroAddress }))
    expect(() => read({ block: { ...block, transactions: synced }, receipts: unsent })).toThrow(ProviderError)
    expect(() => read({ block: { ...block, transactions: [] }, receipts: unsent })).toThrow(ProviderError)
  })

  test('in a block with a state sync under the roots is unproven, listed or not: nodes do not answer its fields', () => {
    const made = madeBlock(7, [
      paid,
      {
        from: zeroAddress,
        to: zeroAddress,
        type: '0x7f',
        logs: [tokenTransfer(account(77), zeroAddress, account(5), 9n)],
      },
    ])
    const onPolygon = { ...rules, nativeLog: account(0x1010) }
    expect(read(made, onPolygon).unproven).toEqual(['transactions'])
    const unlisted = { ...made, block: { ...made.block, transactions: made.block.transactions.slice(0, 1) } }
    expect(read(unlisted, onPolygon).unproven).toEqual(['transactions'])
    const plain = made.receipts.map((each) => (each.type === '0x7f' ? { ...each, type: '0x0' } : each))
    expect(read({ ...made, receipts: plain }, onPolygon).unproven).toEqual(['transactions'])
  })

  test('is refused as a state sync, except on Polygon once at the end of a block', () => {
    const made = madeBlock(7, [paid])
    const sync = madeBlock(7, [
      paid,
      {
        from: zeroAddress,
        to: zeroAddress,
        value: '0x9',
        logs: [tokenTransfer(account(77), zeroAddress, account(5), 9n)],
      },
    ])
    const [receipt] = sync.receipts.slice(1).map((each) => ({
      ...each,
      blockHash: made.block.hash,
      logs: each.logs.map((log) => ({ ...log, blockHash: made.block.hash })),
    }))
    if (!receipt) throw new Error('no receipt')
    const receipts = [...made.receipts, receipt]
    expect(() => read({ ...made, receipts })).toThrow(ProviderError)
    const listed = {
      block: {
        ...made.block,
        transactions: [...made.block.transactions, ...sync.block.transactions.slice(1)],
      },
      receipts,
    }
    expect(() => read(listed)).toThrow(ProviderError)
    expect(() => readLogs({ ...made, receipts })).toThrow('a log belongs to no transaction of the block')
    const onPolygon = { ...rules, nativeLog: account(0x1010) }
    expect(() => read({ ...made, receipts: [receipt, ...made.receipts] }, onPolygon)).toThrow(ProviderError)
  })

  test('is refused from logs where a transaction has a type that does not exist on the chain', () => {
    const made = madeBlock(7, [paid, paid])
    const transactions = made.block.transactions.map((each, index) =>
      index === 1 ? { ...each, type: '0x64', value: '0x99' } : each,
    )
    const lying = { ...made, block: { ...made.block, transactions } }
    expect(() => readLogs(lying, { ...rules, ownReceipts: false })).toThrow(
      'has a type that does not exist on this chain',
    )
  })

  test("is refused on Arbitrum's internal transaction, which carries no value", () => {
    const made = madeBlock(7, [{ type: '0x6a' }, paid])
    expect(read(made).unproven).toEqual([])
    const transactions = made.block.transactions.map((each, index) =>
      index === 0 ? { ...each, value: '0x600' } : each,
    )
    expect(() => read({ ...made, block: { ...made.block, transactions } })).toThrow('cannot carry value')
  })
})
