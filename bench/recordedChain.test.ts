import { describe, expect, test } from '@jest/globals'
import { receiptsRoot } from '../src/chains/evm/read/receiptsRoot.ts'
import type { RecordedBlock, RecordedReceipt } from '../test/support/recordedBlocks.ts'
import { changingTrie } from './changingTrie.ts'
import { memoryNode, readerOf } from './memoryNode.ts'
import { configuredChain, firstHeight, recordedChain } from './recordedChain.ts'

const heights = Array.from({ length: 6 }, (_, n) => firstHeight + 1 + n)

describe.each([
  ['ethereum', 5],
  ['ethereum', 25],
  ['polygon', 5],
] as const)('a chain of recorded blocks of %s with %s payments in each', (name, payments) => {
  const paying = { outOf: 1, payments }

  test('pays other addresses in other transactions at each height', () => {
    const chain = recordedChain(name)
    const [hashes, recipients] = [new Set<string>(), new Set<string>()]
    const plain = new Set(
      heights.flatMap(
        (height) =>
          (
            JSON.parse(String(recordedChain(name).header(height, { outOf: 1, payments: 0 }))) as {
              transactions: string[]
            }
          ).transactions,
      ),
    )
    let payers = 0
    for (const height of heights) {
      const header = JSON.parse(String(chain.header(height, paying))) as {
        transactions: string[]
        receiptsRoot: string
      }
      const receipts = JSON.parse(String(chain.receipts(height, paying))) as RecordedReceipt[]
      expect(receiptsRoot(receipts as unknown as Parameters<typeof receiptsRoot>[0])).toBe(
        header.receiptsRoot,
      )
      expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(header.transactions)
      for (const { transactionHash, logs } of receipts) {
        expect(logs.every((log) => log.transactionHash === transactionHash)).toBe(true)
        if (plain.has(transactionHash)) continue
        payers++
        hashes.add(transactionHash)
        for (const { topics } of logs) if (topics.length === 3 && topics[2]) recipients.add(topics[2])
      }
    }
    expect(payers).toBeGreaterThanOrEqual(heights.length)
    expect(hashes.size).toBe(payers)
    expect(recipients.size).toBeGreaterThanOrEqual(payments * heights.length)
  })

  test("the product's reader proves each block, with and without its transactions", async () => {
    const node = memoryNode(name, { head: firstHeight + 1000, paying })
    const reader = await readerOf(configuredChain(name), () => node.rpc)
    const light = await reader.blocks(heights[0] as number, heights.at(-1) as number)
    expect(light.map(({ height }) => height)).toEqual(heights)
    for (const height of heights)
      expect((await reader.block(height))?.id).toBe(light[height - firstHeight - 1]?.id)
  })

  test('a transaction with another hash than its content has is refused', async () => {
    const node = memoryNode(name, { head: firstHeight + 1000, paying })
    const block = JSON.parse(String(recordedChain(name).block(firstHeight + 1, paying))) as RecordedBlock
    const payer = block.transactions.find(({ nonce }) => Number(nonce) === firstHeight + 1)
    const { rpc } = node
    const changed = {
      ...rpc,
      read: undefined,
      call: async (method: string, params: unknown) =>
        JSON.parse(
          JSON.stringify(await rpc.call(method, params as never)).replaceAll(
            `"nonce":"${payer?.nonce}"`,
            '"nonce":"0x1"',
          ),
        ),
    }
    const reader = await readerOf(configuredChain(name), () => changed as unknown as typeof rpc)
    await expect(reader.block(firstHeight + 1)).rejects.toThrow('does not match its hash')
  })
})

test('the trie with changed values has the root of a new one', () => {
  for (const length of [1, 2, 16, 127, 128, 129, 300]) {
    const values = Array.from({ length }, (_, n) => Uint8Array.of(n % 251, 1, 2))
    const longer = (index: number) => new Uint8Array(40 + index).fill(7)
    const changed = new Map([0, Math.floor(length / 2), length - 1].map((index) => [index, longer(index)]))
    const root = changingTrie(values)
    expect(root(changed)).toBe(
      changingTrie(values.map((value, index) => changed.get(index) ?? value))(new Map()),
    )
    expect(root(new Map())).toBe(changingTrie(values)(new Map()))
    expect(root(changed)).not.toBe(root(new Map()))
  }
})
