import { describe, expect, test } from '@jest/globals'
import { type Hex, keccak256, toRlp } from 'viem'
import {
  account,
  type MadeBlock,
  type MadeTransaction,
  madeBlock,
  sealed,
  tokenTransfer,
  word,
  zeroAddress,
} from '../../../../test/support/madeNode.ts'
import { receiptsAnswer } from '../../../../test/support/receiptAnswers.ts'
import type { RpcReceipt } from '../rpcTypes.ts'
import { type EvmRules, tokensOfReceipts } from './movements.ts'
import { blockOfReceipts, blockOfScanned } from './readBlock.ts'
import { receiptsRoot } from './receiptsRoot.ts'
import { scanReceipts } from './scanReceipts.ts'

/** The fork of both mainnets (superchain-registry). */
const canyon = 1_704_992_401
const rules: EvmRules = { nativeLog: null, ownReceipts: true, canyonTime: canyon }
const [sender, receiver, token] = [account(1), account(2), account(77)]
const read = ({ block, receipts }: MadeBlock) =>
  blockOfReceipts(rules, 'node', block, receipts).block.transfers
const deposit = (fields: Partial<MadeTransaction>): MadeTransaction => ({
  type: '0x7e',
  from: sender,
  to: receiver,
  ...fields,
})

describe('the receipt of a deposit', () => {
  // The first receipt of a block of Base's testnet, 0xb0d6…8b53, as the OP specs encode it: without and with
  // nonce 4,012,991 and version 1.
  const bloom = '00'.repeat(256)
  const receipt = {
    type: '0x7e',
    status: '0x1',
    cumulativeGasUsed: '0xb741',
    logsBloom: `0x${bloom}`,
    logs: [],
    depositNonce: '0x3d3bbf',
  }
  /** A trie of one value: a leaf under the nibbles of RLP(0) (Yellow Paper, appendix D). */
  const rootOf = (value: Hex) => keccak256(toRlp(['0x2080', value]))

  test('is hashed without its nonce before Canyon, and with nonce and version since', () => {
    expect(receiptsRoot([receipt])).toBe(rootOf(`0x7ef901080182b741b90100${bloom}c0`))
    expect(receiptsRoot([{ ...receipt, depositReceiptVersion: '0x1' }])).toBe(
      rootOf(`0x7ef9010d0182b741b90100${bloom}c0833d3bbf01`),
    )
  })

  const paying = [deposit({ value: '0x7' }), { logs: [tokenTransfer(token, sender, receiver, 6n)] }]
  const changed = ({ block, receipts: [first, paid] }: MadeBlock) => {
    const logs = (paid as RpcReceipt).logs.map((log) => ({ ...log, data: `0x${word(600)}` }))
    return { block, receipts: [first as RpcReceipt, { ...(paid as RpcReceipt), logs }] }
  }
  const at = (time: number) => {
    const { block, receipts } = madeBlock(7, paying)
    return sealed({ block: { ...block, timestamp: `0x${time.toString(16)}` }, receipts })
  }

  test('proves the block before Canyon: a root that does not match is refused', () => {
    const honest = at(canyon - 1)
    expect(read(honest)).toContainEqual(expect.objectContaining({ movementKey: 'log:0', amount: 6n }))
    expect(() => read(changed(honest))).toThrow('receipts do not match the receipts root')
    // Nodes answer the nonce since Regolith; it is not under the root.
    const [first, ...rest] = honest.receipts as [RpcReceipt, ...RpcReceipt[]]
    const withNonce = [{ ...first, depositNonce: '0x3d3bbf' }, ...rest]
    expect(read({ block: honest.block, receipts: withNonce })).toEqual(read(honest))
    expect(() => read(changed({ block: honest.block, receipts: withNonce }))).toThrow(
      'receipts do not match the receipts root',
    )
  })

  test.each(['0x7E', '0x07e', '0x7d'])('proves it also where a node writes its type as %s', (type) => {
    const honest = at(canyon - 1)
    const { block, receipts } = changed(honest)
    const [first, ...rest] = receipts as [RpcReceipt, ...RpcReceipt[]]
    expect(() => read({ block, receipts: [{ ...first, type }, ...rest] })).toThrow(
      'receipts do not match the receipts root',
    )
  })

  test('proves nothing since Canyon where the node leaves its fields out', () => {
    const honest = at(canyon)
    expect(read(changed(honest))).toContainEqual(
      expect.objectContaining({ movementKey: 'log:0', amount: 600n }),
    )
  })
})

describe('what a deposit mints', () => {
  const minted = (amount: bigint) => ({
    movementKey: 'mint',
    contract: null,
    from: zeroAddress,
    to: sender,
    amount,
  })
  const native = (amount: bigint) => ({
    movementKey: 'native',
    contract: null,
    from: sender,
    to: receiver,
    amount,
  })

  test.each([
    ['failed', { mint: '0x9', value: '0x5', status: '0x0' }, [minted(9n)]],
    ['failed and sent nothing', { mint: '0x9', status: '0x0' }, [minted(9n)]],
    ['failed and minted nothing', { value: '0x5', status: '0x0' }, []],
    ['sent all of it', { mint: '0x5', value: '0x5' }, [native(5n)]],
    ['sent a part of it', { mint: '0x9', value: '0x5' }, [native(5n), minted(4n)]],
    ['sent more', { mint: '0x5', value: '0x9' }, [native(9n)]],
  ])('and %s counts for its sender, alike in both readers', (_what, fields, movements) => {
    const { block, receipts } = madeBlock(7, [deposit(fields), { value: '0x1' }])
    const canyonReceipts = receipts.map((each, index) =>
      index === 0 ? { ...each, depositNonce: '0x3', depositReceiptVersion: '0x1' } : each,
    )
    const made = sealed({
      block: { ...block, receiptsRoot: receiptsRoot(canyonReceipts) },
      receipts: canyonReceipts,
    })
    const found = read(made)
    const first = made.block.transactions[0]?.hash
    expect(found.filter(({ txId }) => txId === first)).toEqual(
      movements.map((each) => ({ ...each, txId: first })),
    )
    const answer = Buffer.from(JSON.stringify(receiptsAnswer(made.receipts)))
    const scanned = scanReceipts([answer], 7, { withRoot: true, nativeLog: null, whole: true })
    if (!scanned) throw new Error('the answer was not understood')
    expect(blockOfScanned(rules, 'node', made.block, scanned).block.transfers).toEqual(found)
  })

  test('is a forgery under another amount: the transactions root commits to it', () => {
    const made = madeBlock(7, [deposit({ mint: '0x9', value: '0x5', status: '0x0' })])
    const [first] = made.block.transactions
    const lying = {
      ...made,
      block: { ...made.block, transactions: [{ ...first, mint: '0x90' } as NonNullable<typeof first>] },
    }
    expect(() => read(lying)).toThrow()
  })

  test('is read far below the head too: the sender of one that failed is touched, and no other sender', () => {
    const failed = { status: '0x0', from: account(3), to: account(4) }
    const { receipts } = madeBlock(7, [
      deposit({ ...failed, mint: '0x9' }),
      { status: '0x0', from: account(5), to: account(6) },
    ])
    const answer = Buffer.from(JSON.stringify(receiptsAnswer(receipts)))
    const scanned = scanReceipts([answer], 7, { withRoot: true, nativeLog: null })
    expect(Buffer.from(scanned?.touched ?? []).toString('hex')).toBe(account(3).slice(2))
    expect(tokensOfReceipts(rules, receipts).unread).toEqual([account(3)])
  })

  test('is no movement on a chain without deposits', () => {
    const plain = { ...rules, ownReceipts: false }
    const made = madeBlock(7, [{ type: '0x2', mint: '0x9', status: '0x0' }])
    expect(blockOfReceipts(plain, 'node', made.block, made.receipts).block.transfers).toEqual([])
  })
})
