import { describe, expect, test } from '@jest/globals'
import {
  account,
  madeCall,
  madeTransfer,
  madeTronBlock,
  madeTronNode,
  madeTronReader,
  type TronAnswers,
  transferLog,
} from '../../../test/support/madeTron.ts'
import { ProviderError } from '../chain.ts'
import { RestError } from '../providers/rest.ts'
import { blockId } from './blockProof.ts'
import type { TronBlock, TronTransactionInfo } from './rpcTypes.ts'

const [alice, bob, token] = [account(1), account(2), account(0x77)]
const paid = madeTransfer(alice, bob, 5)
const called = madeCall({ from: alice, contract: token, more: { log: [transferLog(token, alice, bob, 9n)] } })
const reverted = madeCall({ from: alice, contract: token, value: 4, result: 'REVERT' })
const blocks = [madeTronBlock(6), madeTronBlock(7, [paid, called, reverted]), madeTronBlock(8)]
const honest = madeTronNode('honest', blocks)
const amounts = (block: { transfers: { amount: bigint }[] } | null) =>
  block?.transfers.map(({ amount }) => amount)

type Change<T> = (truth: T) => unknown
/** Answers that alter the honest answer of one path. */
const changed = <T>(path: string, change: Change<T>): TronAnswers => ({
  [path]: (_body, truth) => change(truth() as T),
})
const block = (change: Change<TronBlock>) => changed('/wallet/getblockbynum', change)
const infos = (change: Change<TronTransactionInfo[]>) =>
  changed('/wallet/gettransactioninfobyblocknum', change)
const withHeader = (more: object) =>
  block((truth) => ({ ...truth, block_header: { raw_data: { ...truth.block_header?.raw_data, ...more } } }))

describe('a block', () => {
  test('is read whole, with the id of its header', async () => {
    const found = await madeTronReader([honest]).reader.block(7)
    const { blockID, block_header } = blocks[1]?.block ?? {}
    expect(found).toMatchObject({
      height: 7,
      id: blockID,
      parentId: blocks[0]?.block.blockID,
      source: 'honest',
      traced: true,
    })
    expect(found?.time).toEqual(new Date(block_header?.raw_data?.timestamp ?? 0))
    expect(amounts(found)).toEqual([5n, 9n])
  })

  test('is null if the node does not have it, and an error of the node is a failure', async () => {
    const { reader } = madeTronReader([honest])
    expect([await reader.block(9), await reader.header(9)]).toEqual([null, null])
    const broken = madeTronNode(
      'a',
      blocks,
      block(() => ({ Error: 'class org.tron.core.exception.StoreException : unexpected' })),
    )
    await expect(madeTronReader([broken]).reader.block(7)).rejects.toThrow(ProviderError)
  })

  // The id covers the whole header: java-tron hashes all of it.
  test.each<[string, TronAnswers]>([
    ['another parent', withHeader({ parentHash: 'ab'.repeat(32) })],
    ['another time', withHeader({ timestamp: 1 })],
    ['other transactions, by their root', withHeader({ txTrieRoot: 'ab'.repeat(32) })],
    ['another witness', withHeader({ witness_address: account(5) })],
    ['another version', withHeader({ version: 31 })],
    ['another height', withHeader({ number: 8 })],
    ['no header', block((truth) => ({ ...truth, block_header: {} }))],
    ['another id', block((truth) => ({ ...truth, blockID: blocks[2]?.block.blockID }))],
    ['an invalid id', block((truth) => ({ ...truth, blockID: 'none' }))],
    [
      "a transaction whose bytes are not its id's",
      block((truth) => ({
        ...truth,
        transactions: [
          { ...paid.transaction, txID: called.transaction.txID },
          called.transaction,
          reverted.transaction,
        ],
      })),
    ],
    [
      'bytes of another transaction',
      block((truth) => ({
        ...truth,
        transactions: [{ ...paid.transaction, raw_data_hex: called.transaction.raw_data_hex }],
      })),
    ],
    [
      'no transactions, and no outcomes',
      { ...block(({ transactions: _, ...truth }) => truth), ...infos(() => []) },
    ],
    ['a missing outcome', infos((truth) => truth.slice(1))],
    ['no outcomes', infos(() => [])],
    ['outcomes that are not a list', infos(() => ({}))],
    ['an outcome twice', infos((truth) => [truth[0], truth[0], truth[2]])],
    ['an extra outcome', infos((truth) => [...truth, truth[0]])],
    ['an outcome of another block', infos((truth) => truth.map((each) => ({ ...each, blockNumber: 8 })))],
    [
      'an outcome of another transaction',
      infos((truth) => [{ ...truth[0], id: 'ab'.repeat(32) }, ...truth.slice(1)]),
    ],
    ['transactions that are not a list', block((truth) => ({ ...truth, transactions: 'none' }))],
  ])('with %s is refused, and read from the next provider', async (_what, answer) => {
    const { reader, refused } = madeTronReader([madeTronNode('liar', blocks, answer), honest])
    expect(amounts(await reader.block(7))).toEqual([5n, 9n])
    expect(refused).toEqual(['liar'])
  })

  test.each([[[{}]], [[{}, {}]], [[]], [undefined]])(
    'with a plain transfer whose result is %j has it, and it is explained as succeeded',
    async (ret) => {
      const { ret: _, ...bare } = madeTransfer(alice, bob, 21_750_000).transaction
      const old = { transaction: { ...bare, ...(ret && { ret }) }, info: { id: bare.txID, receipt: {} } }
      const node = madeTronNode('a', [madeTronBlock(7, [old])])
      expect(amounts(await madeTronReader([node]).reader.block(7))).toEqual([21_750_000n])
      expect(await madeTronReader([node]).reader.transaction(bare.txID)).toMatchObject({
        status: 'succeeded',
      })
      // From before nodes recorded outcomes.
      const unrecorded = madeTronNode(
        'b',
        [madeTronBlock(7, [old])],
        infos(() => []),
      )
      expect(amounts(await madeTronReader([unrecorded]).reader.block(7))).toEqual([21_750_000n])
    },
  )

  test('with a contract call without an outcome is never from before they were recorded', async () => {
    const { ret: _, ...bare } = called.transaction
    const node = madeTronNode(
      'a',
      [madeTronBlock(7, [{ ...called, transaction: { ...bare, ret: [{}] } }])],
      infos(() => []),
    )
    await expect(madeTronReader([node]).reader.block(7)).rejects.toThrow(ProviderError)
  })

  test('without transactions needs no outcomes: nodes answer an empty list or an empty object', async () => {
    for (const answer of [[], {}]) {
      const node = madeTronNode(
        'a',
        blocks,
        infos(() => answer),
      )
      expect(amounts(await madeTronReader([node]).reader.block(8))).toEqual([])
    }
  })
})

describe('the id of a header', () => {
  test('starts with its height, also if that is zero and omitted', () => {
    expect(blockId({ number: 7, timestamp: 1 })).toMatch(/^0000000000000007[0-9a-f]{48}$/)
    expect(blockId({ timestamp: 1 })).toMatch(/^0000000000000000[0-9a-f]{48}$/)
  })

  test('changes with every field of the header', () => {
    const header = {
      number: 7,
      timestamp: 1,
      txTrieRoot: 'aa',
      parentHash: 'bb',
      witness_address: '41',
      version: 1,
    }
    const more = [{}, { witness_id: 3 }, { accountStateRoot: 'cc' }, { version: 2 }, { txTrieRoot: 'ab' }]
    expect(new Set(more.map((each) => blockId({ ...header, ...each }))).size).toBe(more.length)
  })
})

describe('head and finality', () => {
  test('are the newest of all providers, and that of the solidity API', async () => {
    const { reader } = madeTronReader([madeTronNode('stale', blocks.slice(0, 1)), honest])
    expect((await reader.head()).height).toBe(8)
    expect(await reader.tips()).toMatchObject([
      { source: 'stale', head: 6 },
      { source: 'honest', head: 8, finalized: { height: 6 } },
    ])
  })

  // `providers` merges failures into one error, which no longer shows that the solidity API is missing.
  test.each([404, 405])('a node without the solidity API (status %d) has no final block', async (status) => {
    const refuse = () => {
      throw new RestError('a: walletsolidity/getnowblock', status, '')
    }
    expect(
      await madeTronReader([
        madeTronNode('a', blocks, { '/walletsolidity/getnowblock': refuse }),
      ]).reader.tips(),
    ).toMatchObject([{ source: 'a', finalized: null }])
  })

  test('a node whose final block fails still reports its head', async () => {
    const refuse = () => {
      throw new RestError('a: walletsolidity/getnowblock', 500, '')
    }
    expect(
      await madeTronReader([
        madeTronNode('a', blocks, { '/walletsolidity/getnowblock': refuse }),
      ]).reader.tips(),
    ).toEqual([{ source: 'a', head: 8, finalized: undefined }])
  })
})

test('several blocks are read in order, up to the first that no provider has', async () => {
  const { reader } = madeTronReader([honest])
  expect((await reader.blocks(6, 12)).map(({ height }) => height)).toEqual([6, 7, 8])
  await expect(reader.blocks(9, 12)).rejects.toThrow(ProviderError)
})

test('a cross-check agrees only on the same block with the same transfers', async () => {
  const crossCheck = async (theirs: typeof blocks, answer: TronAnswers = {}) => {
    const { reader } = madeTronReader([honest, madeTronNode('b', theirs, answer)])
    const found = await reader.block(7)
    return found && reader.crossCheck(found, found.transfers)
  }
  expect(await crossCheck(blocks)).toMatchObject({ said: 'agrees' })
  expect(await crossCheck([madeTronBlock(7, [paid, called, reverted], 2)])).toMatchObject({
    said: 'disagrees',
  })
  expect(
    await crossCheck(
      blocks,
      infos((truth) => truth.map((each) => ({ ...each, log: [] }))),
    ),
  ).toMatchObject({ said: 'disagrees' })
  expect(await crossCheck([madeTronBlock(6)])).toMatchObject({ said: 'has it not' })
  expect(
    await crossCheck(
      blocks,
      infos(() => []),
    ),
  ).toMatchObject({ said: 'cannot say' })
})

test('a cross-check denies an unknown internal transfer only at a provider that records them', async () => {
  const internal = (amount: number) => ({
    internal_transactions: [
      { caller_address: token, transferTo_address: bob, callValueInfo: [{ callValue: amount }] },
    ],
  })
  const inner = madeCall({ from: alice, contract: token, more: internal(3) })
  const made = [madeTronBlock(6, [inner]), madeTronBlock(7, [called])]
  const invented = infos((truth) => truth.map((each) => ({ ...each, ...internal(1000) })))
  const said = async (answer: TronAnswers) => {
    const { reader } = madeTronReader([madeTronNode('liar', made, invented), madeTronNode('b', made, answer)])
    // Any of its blocks shows that it records internal transfers.
    await reader.crossCheck({ height: 6, id: made[0]?.block.blockID ?? '', source: 'liar' }, [])
    const found = await reader.block(7)
    const trace = found?.transfers.filter(({ movementKey }) => movementKey.startsWith('trace:')) ?? []
    expect(trace).toMatchObject([{ amount: 1000n }])
    return found && reader.crossCheck(found, trace)
  }
  expect(await said({})).toMatchObject({ said: 'disagrees', found: [] })
  expect(
    await said(infos((truth) => truth.map((each) => ({ ...each, internal_transactions: [] })))),
  ).toMatchObject({ said: 'agrees' })
})

describe('a requested transaction', () => {
  const explained = (txId: string, ...nodes: Parameters<typeof madeTronReader>[0]) =>
    madeTronReader(nodes).reader.transaction(txId)

  test('that succeeded has its block and its transfers, also those of zero', async () => {
    expect(await explained(called.transaction.txID, honest)).toMatchObject({
      status: 'succeeded',
      block: { height: 7, id: blocks[1]?.block.blockID },
      transfers: [
        { movementKey: 'native', amount: 0n },
        { movementKey: 'log:0', to: bob, amount: 9n },
      ],
      traced: true,
    })
  })

  test('that failed has its block and its intended transfers', async () => {
    expect(await explained(reverted.transaction.txID, honest)).toMatchObject({
      status: 'failed',
      block: { height: 7 },
      transfers: [{ amount: 4n }],
    })
  })

  test('without an outcome is pending, although the node shows SUCCESS', async () => {
    const waiting = madeTransfer(alice, bob, 6)
    expect(waiting.transaction.ret).toEqual([{ contractRet: 'SUCCESS' }])
    const facts = await explained(waiting.transaction.txID, madeTronNode('a', blocks, {}, [waiting]))
    expect(facts).toMatchObject({ status: 'pending', block: null, transfers: [{ to: bob, amount: 6n }] })
  })

  test('is null if no provider knows it', async () => {
    expect(await explained('ab'.repeat(32), honest)).toBeNull()
  })

  test('is read from the next provider if one does not have its block', async () => {
    const forgetful = madeTronNode(
      'a',
      blocks,
      block(() => ({})),
    )
    expect(await explained(paid.transaction.txID, forgetful, honest)).toMatchObject({ status: 'succeeded' })
    await expect(explained(paid.transaction.txID, forgetful)).rejects.toThrow(ProviderError)
  })
})
