import { describe, expect, test } from '@jest/globals'
import {
  account,
  type MadeBlock,
  type MadeNode,
  type MadeTransaction,
  madeBlock,
  madeNode,
  madeReader,
  zeroAddress,
} from '../../../../test/support/madeNode.ts'
import { ProviderError } from '../../chain.ts'
import type { EvmRules } from './movements.ts'
import { blockOfReceipts } from './readBlock.ts'

const rules: EvmRules = { nativeLog: null, ownReceipts: true }
const [sender, receiver] = [account(1), account(2)]
const read = ({ block, receipts }: MadeBlock) =>
  blockOfReceipts(rules, 'node', block, receipts).block.transfers
const deposit = (fields: Partial<MadeTransaction>): MadeTransaction => ({
  type: '0x7e',
  from: sender,
  to: receiver,
  ...fields,
})
const minted = (amount: bigint) => ({
  movementKey: 'mint',
  contract: null,
  from: zeroAddress,
  to: sender,
  amount,
})

describe('what a deposit mints', () => {
  describe('is read from a node without the receipts of blocks', () => {
    const without = new Set(['eth_getBlockReceipts', 'debug_traceBlockByHash'])
    const made = (status: string, mint = '0x9') =>
      madeBlock(7, [deposit({ mint, value: '0x5', status }), { value: '0x1' }])
    const readBy = async (node: MadeNode) => {
      const read = await madeReader([node]).reader.block(7)
      return read?.transfers.filter(({ movementKey }) => movementKey === 'mint') ?? []
    }

    test.each([
      ['0x1', 4n],
      ['0x0', 9n],
    ])('by the receipt of the deposit: of one with the status %s it is %s', async (status, amount) => {
      const node = madeNode('a', [made(status)], { without })
      expect(await readBy(node)).toMatchObject([minted(amount)])
      expect(node.calls.filter((call) => call.startsWith('eth_getTransactionReceipt'))).toHaveLength(1)
    })

    test.each([
      ['no receipt', null],
      ['a receipt of another block', { ...made('0x0').receipts[0], blockHash: `0x${'7'.repeat(64)}` }],
      ['a receipt of another transaction', made('0x0').receipts[1]],
      ['a receipt without an outcome', { ...made('0x0').receipts[0], status: undefined }],
    ])('%s makes the block unreadable there', async (_what, receipt) => {
      await expect(
        readBy(
          madeNode('a', [made('0x0')], { without, answer: { eth_getTransactionReceipt: () => receipt } }),
        ),
      ).rejects.toThrow(ProviderError)
    })
  })

  test.each([[new Set<string>()], [new Set(['eth_getBlockReceipts'])]])(
    'is denied by a second node that has it not (without %j)',
    async (missing) => {
      const without = new Set([...missing, 'debug_traceBlockByHash'])
      const [truth, lie] = ['0x1', '0x0'].map((status) =>
        madeBlock(7, [deposit({ mint: '0x9', value: '0x5', status })]),
      ) as [MadeBlock, MadeBlock]
      const transfers = (of: MadeBlock) => read(of).filter(({ movementKey }) => movementKey === 'mint')
      // A node that leaves out the fields of a deposit's receipt can forge its outcome: the block has the
      // same id.
      const { hash } = truth.block
      const { reader } = madeReader([madeNode('b', [truth], { without })])
      const check = (of: MadeBlock) =>
        reader.crossCheck(
          { height: 7, id: hash, source: 'a' },
          transfers(of).map((transfer) => ({ ...transfer, side: 'to' as const })),
        )
      expect(await check(truth)).toMatchObject({ said: 'agrees' })
      expect(await check(lie)).toMatchObject({ said: 'disagrees' })
    },
  )
})
