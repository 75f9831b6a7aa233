import { describe, expect, test } from '@jest/globals'
import type { GetBlockOptions } from '../../../../test/support/madeSolana.ts'
import {
  hashOf,
  key,
  madeSlot,
  madeSolana,
  madeSolanaNode,
  madeSolanaReader,
  mint,
  payer,
  type SolanaAnswers,
  timeOf,
} from '../../../../test/support/madeSolana.ts'
import { ProviderError } from '../../chain.ts'
import { RpcError } from '../../providers/jsonRpc.ts'

const bob = key('bob')
const paid = madeSolana({ tokens: [{ owner: bob, before: 0n, after: 5n }] })
// Slots 11 and 12 were skipped.
const slots = [madeSlot(9), madeSlot(10, [paid]), madeSlot(13, [], { parent: 10 }), madeSlot(14)]
const refuse =
  (method: string, code: number, message = 'no') =>
  () => {
    throw new RpcError(`a: ${method}`, code, message)
  }
const honest = () => madeSolanaNode('honest', slots)
const ids = { ten: hashOf(10), thirteen: hashOf(13) }
/** Answers that alter the honest block. */
const block = (change: (truth: object) => unknown): SolanaAnswers => ({
  getBlock: (_params, truth) => change(truth() as object),
})

describe('a slot with a block', () => {
  test('is read whole', async () => {
    const found = await madeSolanaReader([honest()]).reader.block(10)
    expect(found).toMatchObject({
      height: 10,
      id: ids.ten,
      parentId: hashOf(9),
      time: new Date(timeOf(10) * 1000),
      source: 'honest',
      traced: true,
    })
    expect(found?.transfers).toMatchObject([{ to: bob, contract: mint, from: payer, amount: 5n }])
  })

  test('is requested at `confirmed`, with all transaction versions that the reader knows', async () => {
    const asked: GetBlockOptions[] = []
    const node = madeSolanaNode('a', slots, {
      getBlock: ([, options], truth) => {
        asked.push(options as GetBlockOptions)
        return truth()
      },
    })
    await madeSolanaReader([node]).reader.block(10)
    expect(asked).toMatchObject([
      {
        commitment: 'confirmed',
        transactionDetails: 'full',
        maxSupportedTransactionVersion: 1,
        rewards: false,
      },
    ])
  })

  test.each<[string, SolanaAnswers]>([
    ['no hash', block((truth) => ({ ...truth, blockhash: undefined }))],
    ['an invalid hash', block((truth) => ({ ...truth, blockhash: '0'.repeat(44) }))],
    ['no parent', block((truth) => ({ ...truth, previousBlockhash: null }))],
    ['no time', block((truth) => ({ ...truth, blockTime: null }))],
    ['a parent that is not below it', block((truth) => ({ ...truth, parentSlot: 10 }))],
    ['no transactions', block(({ transactions: _, ...truth }: { transactions?: unknown }) => truth)],
    [
      'a transaction without its outcome',
      block((truth) => ({ ...truth, transactions: [{ ...paid, meta: null }] })),
    ],
    ['a transaction twice', block((truth) => ({ ...truth, transactions: [paid, paid] }))],
    ['transactions that are not a list', block((truth) => ({ ...truth, transactions: 'none' }))],
  ])('with %s is refused, and read from the next provider', async (_what, answer) => {
    const { reader, refused } = madeSolanaReader([madeSolanaNode('liar', slots, answer), honest()])
    expect((await reader.block(10))?.transfers).toHaveLength(1)
    expect(refused).toEqual(['liar'])
  })

  test('with an unknown transaction version waits: the transaction is not skipped', async () => {
    const { reader } = madeSolanaReader([
      madeSolanaNode('a', slots, {
        getBlock: refuse('getBlock', -32015, 'Transaction version (2) is not supported'),
      }),
    ])
    await expect(reader.block(10)).rejects.toThrow(/version above 1/)
  })
})

describe('a skipped slot', () => {
  test('has its own header, chained to the blocks before and after it', async () => {
    const { reader } = madeSolanaReader([honest()])
    const chain = await Promise.all([10, 11, 12, 13, 14].map((slot) => reader.header(slot)))
    expect(chain.map((each) => each?.id)).toEqual([
      ids.ten,
      `${ids.ten}+1`,
      `${ids.ten}+2`,
      ids.thirteen,
      hashOf(14),
    ])
    expect(chain.slice(1).map((each) => each?.parentId)).toEqual(chain.slice(0, -1).map((each) => each?.id))
    // The next block's time, so that times never decrease.
    expect(chain[1]?.time).toEqual(new Date(timeOf(13) * 1000))
  })

  test('is an empty block', async () => {
    const found = await madeSolanaReader([honest()]).reader.block(11)
    expect(found).toMatchObject({ height: 11, id: `${ids.ten}+1`, parentId: ids.ten, transfers: [] })
  })

  test.each([-32004, -32007, -32009, -32014])(
    'is not trusted on an error code (%d): the next block must name a parent below it',
    async (code) => {
      const node = madeSolanaNode('a', slots, {
        getBlock: ([slot], truth) => (slot === 10 ? refuse('getBlock', code)() : truth()),
      })
      // The node lists slot 10: it has a block.
      await expect(madeSolanaReader([node]).reader.block(10)).rejects.toThrow(ProviderError)
      // Slot 10 is hidden from the list too, but the next block names it as its parent.
      const hiding = madeSolanaNode('a', slots, {
        getBlock: ([slot], truth) => (slot === 10 ? refuse('getBlock', code)() : truth()),
        getBlocksWithLimit: () => [13],
      })
      await expect(madeSolanaReader([hiding]).reader.block(10)).rejects.toThrow(/was not skipped/)
      expect(await madeSolanaReader([hiding, honest()]).reader.block(10)).toMatchObject({ id: ids.ten })
    },
  )

  test('is unknown until there is a next block', async () => {
    expect(await madeSolanaReader([honest()]).reader.block(15)).toBeNull()
    expect(await madeSolanaReader([honest()]).reader.header(15)).toBeNull()
  })

  test.each([
    ['an earlier slot', [9]],
    ['an invalid slot', ['ten']],
    ['a slot whose block it does not give', [99]],
  ])('is refused if the node lists %s next', async (_what, listed) => {
    const node = madeSolanaNode('a', slots, { getBlocksWithLimit: () => listed })
    await expect(madeSolanaReader([node]).reader.block(11)).rejects.toThrow(ProviderError)
  })

  test('that a node pruned (code -32001) is a failure of that provider', async () => {
    const pruned = madeSolanaNode('pruned', slots, {
      getBlock: refuse('getBlock', -32001, 'Block 11 cleaned up'),
    })
    await expect(madeSolanaReader([pruned]).reader.block(11)).rejects.toThrow(ProviderError)
    expect(await madeSolanaReader([pruned, honest()]).reader.block(11)).toMatchObject({ id: `${ids.ten}+1` })
  })

  test('right after genesis has the genesis block as its parent', async () => {
    const first = [madeSlot(0, [], { parent: 0 }), madeSlot(2, [], { parent: 0 })]
    const { reader } = madeSolanaReader([madeSolanaNode('a', first)])
    expect((await reader.header(0))?.id).toBe(hashOf(0))
    expect(await reader.header(1)).toMatchObject({ id: `${hashOf(0)}+1`, parentId: hashOf(0) })
    expect(await reader.header(2)).toMatchObject({ parentId: `${hashOf(0)}+1` })
  })
})

describe('slots too deep for a reorg', () => {
  test('are read without instructions, as touched addresses only', async () => {
    const found = await madeSolanaReader([honest()]).reader.blocks(9, 20)
    expect(found.map(({ height }) => height)).toEqual([9, 10, 11, 12, 13, 14])
    expect(found.map(({ unread }) => unread)).toEqual([[], [bob], [], [], [], []])
    expect(found.flatMap(({ transfers }) => transfers)).toEqual([])
  })

  test.each([
    ['refuses that detail', refuse('getBlock', -32602, 'Invalid params: unknown variant `accounts`')],
    [
      'omits the transactions',
      () => ({ blockhash: ids.ten, previousBlockhash: hashOf(9), parentSlot: 9, blockTime: timeOf(10) }),
    ],
  ])('are read whole from a node that %s, and later without a request for it', async (_what, answer) => {
    const node = madeSolanaNode('old', slots, {
      getBlock: ([, options], truth) =>
        (options as GetBlockOptions).transactionDetails === 'accounts' ? answer() : truth(),
    })
    const { reader } = madeSolanaReader([node])
    const [found] = await reader.blocks(10, 10)
    expect([found?.transfers.length, found?.unread]).toEqual([1, undefined])
    node.asked.length = 0
    await reader.blocks(10, 10)
    expect(node.asked).toEqual(['getBlock 10'])
  })
})

describe('the head', () => {
  test('is the newest confirmed slot of all providers; finalized blocks are requested separately', async () => {
    const { reader } = madeSolanaReader([
      madeSolanaNode('stale', slots.slice(0, 2)),
      madeSolanaNode('a', slots, {}, 10),
    ])
    expect((await reader.head()).height).toBe(14)
    expect(await reader.tips()).toMatchObject([
      { source: 'stale', head: slots[1]?.slot },
      { source: 'a', head: 14, finalized: { height: 10, id: ids.ten } },
    ])
  })

  test('is a failure if the node does not have its block', async () => {
    const node = madeSolanaNode('a', slots, { getSlot: () => 14, getBlock: () => null })
    await expect(madeSolanaReader([node]).reader.head()).rejects.toThrow(ProviderError)
    await expect(
      madeSolanaReader([madeSolanaNode('a', slots, { getSlot: () => 'fourteen' })]).reader.head(),
    ).rejects.toThrow(ProviderError)
  })
})

test('a cross-check agrees only on the same block with the same transfers', async () => {
  const crossCheck = async (theirs: typeof slots, answer: SolanaAnswers = {}) => {
    const { reader } = madeSolanaReader([honest(), madeSolanaNode('b', theirs, answer)])
    const found = await reader.block(10)
    return found && reader.crossCheck(found, found.transfers)
  }
  const less = madeSolana({ tokens: [{ owner: bob, before: 0n, after: 4n }] })
  expect(await crossCheck(slots)).toMatchObject({ said: 'agrees' })
  expect(await crossCheck([madeSlot(10, [paid], { fork: 'b' })])).toMatchObject({ said: 'disagrees' })
  expect(await crossCheck([madeSlot(10, [less])])).toMatchObject({ said: 'disagrees' })
  expect(await crossCheck([madeSlot(10, [])])).toMatchObject({ said: 'disagrees' })
  expect(await crossCheck([madeSlot(9)])).toMatchObject({ said: 'has it not' })
  expect(await crossCheck(slots, { getBlock: refuse('getBlock', -32603) })).toMatchObject({
    said: 'cannot say',
  })
})
