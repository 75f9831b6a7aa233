import { describe, expect, test } from '@jest/globals'
import {
  account,
  hash,
  type MadeBlock,
  madeBlock,
  madeNode,
  madeReader,
  sealed,
} from '../../../../test/support/madeNode.ts'
import { ProviderError } from '../../chain.ts'
import { receiptsRoot } from './receiptsRoot.ts'

const [alice, bob, carol] = [account(1), account(2), account(3)]
const height = 7

/** A block from before October 2017: its receipts have a root in place of a status. */
function withoutStatus({ block, receipts }: MadeBlock): MadeBlock {
  const older = receipts.map(({ status: _, ...receipt }, index) => ({
    ...receipt,
    root: hash('state', index),
  }))
  return sealed({ block: { ...block, receiptsRoot: receiptsRoot(older) }, receipts: older })
}

const old = withoutStatus(
  madeBlock(height, [
    { from: alice, to: bob, value: '0x5', type: '0x0' },
    { from: alice, to: bob, value: '0x6', type: '0x0' },
    { from: alice, to: carol, type: '0x0' },
  ]),
)
const [succeeded = '', failed = ''] = old.block.transactions.map((each) => each.hash)
const id = old.block.hash
/** The second transaction ran out of gas. */
const frameOf = (txId: unknown) => ({
  type: 'CALL',
  from: alice,
  to: bob,
  ...(txId === failed ? { error: 'out of gas' } : {}),
})
const tracing = (name: string, blocks = [old]) =>
  madeNode(name, blocks, {
    without: new Set(['debug_traceBlockByHash']),
    answer: { debug_traceTransaction: ([txId]) => frameOf(txId) },
  })

describe('a transaction from before Byzantium, whose receipt has no status', () => {
  test('transfers native coin only where its trace shows success: the block alone leaves that unproven', async () => {
    const { reader } = madeReader([tracing('a')])
    const block = await reader.block(height)
    expect(block?.transfers.map(({ txId, amount, unproven }) => [txId, amount, unproven])).toEqual([
      [succeeded, 5n, true],
      [failed, 6n, true],
    ])
    expect(await reader.succeeded({ height, id }, [succeeded, failed])).toEqual(new Set([succeeded]))
  })

  test('is looked up at a node that traces; without one, it is neither counted nor dropped', async () => {
    const asked = { height, id }
    const { reader } = madeReader([madeNode('a', [old]), tracing('b')])
    expect(await reader.succeeded(asked, [succeeded, failed])).toEqual(new Set([succeeded]))
    await expect(madeReader([madeNode('a', [old])]).reader.succeeded(asked, [succeeded])).rejects.toThrow(
      ProviderError,
    )
    const empty = madeNode('a', [old], {
      without: new Set(['debug_traceBlockByHash']),
      answer: { debug_traceTransaction: () => null },
    })
    await expect(madeReader([empty]).reader.succeeded(asked, [succeeded])).rejects.toThrow(ProviderError)
  })

  test('names sender and recipient where the block is read without native amounts', async () => {
    const [light] = await madeReader([madeNode('a', [old])]).reader.blocks(height, height)
    expect(light?.unread?.toSorted()).toEqual([alice, bob, carol].toSorted())
  })

  test('is explained by its trace', async () => {
    const { reader } = madeReader([tracing('a')])
    expect(await reader.transaction(succeeded)).toMatchObject({
      status: 'succeeded',
      transfers: [{ movementKey: 'native', to: bob, amount: 5n }],
    })
    expect(await reader.transaction(failed)).toMatchObject({
      status: 'failed',
      transfers: [{ to: bob, amount: 6n }],
    })
    await expect(madeReader([madeNode('a', [old])]).reader.transaction(succeeded)).rejects.toThrow(
      ProviderError,
    )
  })

  test('that failed does not make a second node disagree', async () => {
    const { reader } = madeReader([tracing('a'), tracing('b')])
    const block = await reader.block(height)
    const counted = (block?.transfers ?? []).filter(({ txId }) => txId === succeeded)
    expect(await reader.crossCheck({ height, id, source: 'a' }, counted)).toMatchObject({ said: 'agrees' })
    const more = counted.map((each) => ({ ...each, amount: 9n }))
    expect(await reader.crossCheck({ height, id, source: 'a' }, more)).toMatchObject({ said: 'disagrees' })
  })
})
