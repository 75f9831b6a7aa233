import { describe, expect, test } from '@jest/globals'
import { type Block, ProviderError, type Transfer } from '../src/chains/chain.ts'
import { evmAddress } from '../src/chains/evm/address.ts'
import { blockId, header, testChain, transfer, usdc, watched } from '../test/support/madeBlocks.ts'
import type { MatchContext } from './context.ts'
import { findPayments, matchBlock } from './findPayments.ts'
import { watchFlags } from './watchFlags.ts'

const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const made = (height: number, transfers: Transfer[], more: Partial<Block> = {}): Block => ({
  ...header(height),
  transfers,
  source: 'one',
  traced: true,
  ...more,
})
const others = { to: `0x${'ee'.repeat(20)}` }

/** Finds payments of `watched`, with a reader that answers as given. */
function find(
  blocks: Block[],
  reader: {
    block?: (height: number) => Promise<Block | null>
    succeeded?: (txIds: readonly string[]) => Set<string>
  } = {},
  flags: number = watchFlags.incoming,
) {
  const asked = { blocks: [] as number[], succeeded: [] as string[][] }
  const ctx = {
    chain: testChain(),
    codec: evmAddress,
    watches: {
      flags: (address: Uint8Array) => (Buffer.from(address).equals(evmAddress.bytes(watched)) ? flags : 0),
    },
    reader: {
      block: async (height: number) => {
        asked.blocks.push(height)
        return (await reader.block?.(height)) ?? null
      },
      succeeded: async (_block: unknown, txIds: readonly string[]) => {
        asked.succeeded.push([...txIds])
        return reader.succeeded?.(txIds) ?? new Set(txIds)
      },
    },
  } as unknown as MatchContext
  return { asked, found: findPayments(ctx, blocks) }
}
const keys = async (found: ReturnType<typeof findPayments>) =>
  (await found).map(({ payments }) => payments.map(({ transfer: { movementKey } }) => movementKey))

test('only transfers to watched addresses match', () => {
  const [ours, theirs] = [transfer(5n), transfer(6n, 'log:1', others)]
  expect(
    matchBlock(
      { transfers: [ours, theirs] },
      { flags: (address) => (address[0] === 0xab ? 1 : 0), flagsAt: () => 0 },
      evmAddress,
    ),
  ).toEqual([ours])
})

describe('a payment', () => {
  test('is a transfer of a known asset: tokens, look-alikes and the coin; other tokens are left out', async () => {
    const native = transfer(1n, 'native', { contract: null })
    const unknown = transfer(2n, 'log:1', { contract: `0x${'99'.repeat(20)}` })
    const { found } = find([
      made(1, [
        native,
        unknown,
        transfer(3n, 'log:2'),
        transfer(4n, 'log:3', { contract: usdt }),
        transfer(5n, 'log:4', others),
      ]),
    ])
    expect(
      (await found)[0]?.payments.map(({ asset }) => [asset?.symbol, asset?.contract, asset?.decimals]),
    ).toEqual([
      ['ETH', null, 18],
      ['USDC', usdc, 6],
      ['USDT', usdt, 6],
    ])
  })

  test('is found in each block; other transfers are dropped, blocks stay in order', async () => {
    const { found } = find([
      made(1, [transfer(1n)]),
      made(2, []),
      made(3, [transfer(1n, 'log:7'), transfer(1n, 'log:8', others)]),
    ])
    expect(await keys(found)).toEqual([['log:0'], [], ['log:7']])
    for (const [index, { block }] of (await found).entries()) {
      expect(block).toMatchObject({
        height: index + 1,
        id: blockId('aa', index + 1),
        source: 'one',
        traced: true,
      })
      expect(Object.keys(block)).not.toContain('transfers')
    }
  })

  test('in a transaction with an unknown outcome is read once, and counts only if it succeeded', async () => {
    const open = (key: string, txId: string) => transfer(1n, key, { contract: null, txId, unproven: true })
    const { found, asked } = find(
      [
        made(1, [
          open('native', 'one'),
          open('native', 'two'),
          transfer(1n, 'log:3'),
          { ...open('native', 'three'), ...others },
        ]),
      ],
      {
        succeeded: () => new Set(['two']),
      },
    )
    expect((await found)[0]?.payments.map(({ transfer: { txId } }) => txId)).toEqual([
      'two',
      transfer(1n).txId,
    ])
    expect(asked.succeeded).toEqual([['one', 'two']])
  })

  test('with an unread recipient is found in the answer that the block was read from, which is not asked for again', async () => {
    const whole = made(2, [transfer(7n, 'native', { contract: null })])
    const unread = [transfer(1n).to]
    const { found, asked } = find([made(2, [], { unread, whole: () => whole })])
    expect(await keys(found)).toEqual([['native']])
    expect(asked.blocks).toEqual([])
  })

  test('with an unread recipient is asked for again where that answer is not sound', async () => {
    const unsound = made(2, [], {
      unread: [transfer(1n).to],
      whole: () => {
        throw new ProviderError('a transaction occurs twice')
      },
    })
    const { found, asked } = find([unsound], {
      block: async () => made(2, [transfer(7n, 'native', { contract: null })]),
    })
    expect(await keys(found)).toEqual([['native']])
    expect(asked.blocks).toEqual([2])
    const broken = made(2, [], {
      unread: [transfer(1n).to],
      whole: () => {
        throw new TypeError('a mistake in the code')
      },
    })
    await expect(find([broken]).found).rejects.toThrow(TypeError)
  })

  test('in the native coin with an unread recipient makes the reader fetch the whole block', async () => {
    const whole = made(2, [transfer(5n), transfer(6n, 'native', { contract: null })])
    const unread = [transfer(1n).to]
    const { found, asked } = find(
      [made(1, [], { unread: [others.to] }), made(2, [transfer(5n)], { unread })],
      { block: async () => whole },
    )
    expect(await keys(found)).toEqual([[], ['log:0', 'native']])
    expect(asked.blocks).toEqual([2])
  })

  test('in a block that changed meanwhile is an error, to be retried', async () => {
    const unread = made(2, [transfer(7n)], { unread: [transfer(1n).to] })
    await expect(
      find([unread], { block: async () => made(2, [], { id: blockId('bb', 2) }) }).found,
    ).rejects.toThrow(ProviderError)
    await expect(find([unread], { block: async () => null }).found).rejects.toThrow(ProviderError)
  })
})

describe('an outgoing transfer', () => {
  const out = transfer(1n, 'log:9', { from: watched, ...others })
  const outgoing = async (flags: number, ...transfers: Transfer[]) =>
    (await keys(find([made(1, transfers)], {}, flags).found))[0]

  test('concerns only monitored addresses: the sweep of a deposit stores nothing', async () => {
    expect(await outgoing(watchFlags.incoming, out)).toEqual([])
    expect(await outgoing(watchFlags.monitored, out)).toEqual(['log:9'])
    expect(await outgoing(watchFlags.monitoredForAll, out)).toEqual(['log:9'])
  })

  test('makes the reader fetch the whole block if its coin was not read', async () => {
    const unread = made(2, [], { unread: [watched] })
    const whole = made(2, [transfer(6n, 'native', { contract: null, from: watched, ...others })])
    const { found, asked } = find([unread], { block: async () => whole }, watchFlags.monitored)
    expect(await keys(found)).toEqual([['native']])
    expect(asked.blocks).toEqual([2])
  })

  test('and an incoming one are distinguished if a transfer reports only one side', async () => {
    const [gain, loss] = [transfer(1n, 'gain', { only: 'in' }), transfer(1n, 'loss', { only: 'out' })]
    const [lost, gained] = [
      transfer(1n, 'lost', { from: watched, ...others, only: 'out' }),
      transfer(1n, 'gained', { from: watched, ...others, only: 'in' }),
    ]
    expect(await outgoing(watchFlags.monitored, gain, loss, lost, gained)).toEqual(['gain', 'lost'])
  })
})

test('unknown tokens are found only for watches of all tokens, in both directions', async () => {
  const contract = `0x${'99'.repeat(20)}`
  const both = [
    transfer(2n, 'log:1', { contract }),
    transfer(2n, 'log:2', { contract, from: watched, ...others }),
  ]
  const found = async (flags: number) =>
    (await find([made(1, both)], {}, flags).found)[0]?.payments.map(({ asset, transfer }) => [
      transfer.movementKey,
      asset,
    ])
  expect(await found(watchFlags.incoming | watchFlags.monitored)).toEqual([])
  expect(await found(watchFlags.monitoredForAll)).toEqual([
    ['log:1', null],
    ['log:2', null],
  ])
})
